#include "numerics/dft/system.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "numerics/dft/ewald.hpp"
#include "numerics/dft/ions.hpp"
#include "numerics/dft/pseudopotential.hpp"
#include "numerics/dft/symmetry.hpp"

namespace tenken::dft {

namespace {

// Half of the length of the shortest bond, that of the hydrogen molecule.
constexpr double least_distance = 0.7;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

void require_grid(const Input& input) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::string axis(1, "xyz"[d]);
    if (!(input.grid.cell[d] > 0) || !std::isfinite(input.grid.cell[d]))
      refuse("the cell's length along " + axis + " is " + number(input.grid.cell[d]) + " Bohr; state one above 0");
    if (input.grid.points[d] < 5)
      refuse("a grid of " + std::to_string(input.grid.points[d]) + " points along " + axis +
             " is too small for differences of 8th order; use at least 5");
    if (input.k_grid[d] < 1)
      refuse("a k grid of " + std::to_string(input.k_grid[d]) + " points along " + axis + "; use at least 1");
  }
  if (!(input.projector_cut > 0 && input.projector_cut < 0.1))
    refuse("the projectors' cut " + number(input.projector_cut) + " is not a small part of 1; use one such as 1e-6");
}

void require_atoms(const Input& input) {
  if (input.atoms.empty()) refuse("the cell has no atoms; state at least one atom");
  for (std::size_t i = 0; i < input.atoms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Vector between;
      for (std::size_t d = 0; d < 3; ++d) {
        const double off = (input.atoms[i].position[d] - input.atoms[j].position[d]) / input.grid.cell[d];
        between[d] = (off - std::round(off)) * input.grid.cell[d];
      }
      const double distance = std::hypot(between[0], between[1], between[2]);
      if (!(distance >= least_distance))
        refuse("atoms " + std::to_string(j + 1) + " (" + input.atoms[j].element + ") and " + std::to_string(i + 1) +
               " (" + input.atoms[i].element + ") overlap: they are " + number(distance) +
               " Bohr apart; place them at least " + number(least_distance) + " Bohr apart");
    }
  }
}

Input silicon() {
  Input input;
  input.grid = {{16, 16, 16}, {10.26, 10.26, 10.26}};
  input.k_grid = {4, 4, 4};
  for (const Vector& corner : {Vector{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}}) {
    for (const double basis : {0.0, 0.25}) {
      Atom atom{"Si", {}};
      for (std::size_t d = 0; d < 3; ++d) atom.position[d] = (corner[d] + basis) * input.grid.cell[d];
      input.atoms.push_back(atom);
    }
  }
  return input;
}

// Alpha-quartz; internal coordinates of L. Levien, C. T. Prewitt, D. J. Weidner, Am. Mineral. 65, 920 (1980).
Input quartz() {
  constexpr double a = 9.2849, u = 0.4697, x = 0.4135, y = 0.2669, z = 0.1191;
  Input input;
  input.grid = {{20, 36, 52}, {a, a * std::numbers::sqrt3, a * 1.100094}};
  input.k_grid = {4, 4, 4};
  // In the hexagonal cell, whose second side is turned by 120 degrees; the screw axis is 3_2.
  const auto add = [&](const char* element, Vector f) {
    for (int screw = 0; screw < 3; ++screw) {
      for (const double half : {0.0, 0.5}) {
        Atom atom{element, {f[0] - f[1] / 2 + half, f[1] / 2 + half, f[2]}};
        for (std::size_t d = 0; d < 3; ++d)
          atom.position[d] = (atom.position[d] - std::floor(atom.position[d])) * input.grid.cell[d];
        input.atoms.push_back(atom);
      }
      f = {-f[1], f[0] - f[1], f[2] + 2.0 / 3};
    }
  };
  add("Si", {u, 0, 0});
  add("O", {x, y, z});
  add("O", {x - y, -y, -z});
  return input;
}

}  // namespace

Input example(const std::string& name) {
  if (name == "si") return silicon();
  if (name == "sio2") return quartz();
  refuse("example '" + name + "' is not known; use si or sio2");
}

System make_system(const Input& input) {
  require_grid(input);
  require_atoms(input);
  System system;
  system.electrons = electrons(input.atoms);
  if (system.electrons % 2 != 0)
    refuse("the cell has " + std::to_string(system.electrons) +
           " electrons, an odd number, and a band here has two; use a cell with an even number");
  require_symmetries(input);
  system.grid = input.grid;
  system.atoms = input.atoms;
  system.k_points = k_points(input.grid, input.k_grid, input.reduction);
  system.reduction = input.reduction;
  system.functional = input.functional;
  if (input.projectors_on_grid)
    system.projectors = projectors(input.grid, input.atoms, input.projector_cut, input.filter_projectors);
  system.local_potential = local_potential(input.grid, input.atoms);
  system.core_energy = core_energy(input.grid, input.atoms);
  std::vector<Charge> charges;
  for (const Atom& atom : input.atoms)
    charges.push_back({atom.position, static_cast<double>(pseudopotential(atom.element).charge)});
  system.ewald_energy = ewald_energy(input.grid.cell, charges);
  return system;
}

std::vector<GridNeed> grid_needs(const Grid& grid, const std::vector<Atom>& atoms) {
  const double fall = std::sqrt(2 * std::log(5.0));
  const Vector h = grid.spacing();
  const double widest = *std::max_element(h.begin(), h.end());
  const auto cut_off = [](double spacing) { return std::pow(std::numbers::pi / spacing, 2) / 2; };
  std::vector<GridNeed> needs;
  for (const Atom& atom : atoms) {
    if (std::any_of(needs.begin(), needs.end(), [&](const GridNeed& need) { return need.element == atom.element; }))
      continue;
    const double allowed = std::numbers::pi / fall * narrowest(pseudopotential(atom.element));
    needs.push_back({atom.element, widest, allowed, cut_off(widest), cut_off(allowed)});
  }
  return needs;
}

std::vector<std::string> coarse_grid_warnings(const Grid& grid, const std::vector<Atom>& atoms) {
  std::vector<std::string> warnings;
  for (const GridNeed& need : grid_needs(grid, atoms)) {
    if (!need.coarse()) continue;
    warnings.push_back("the grid is too coarse for the pseudopotential of " + need.element + ": its spacing of " +
                       number(need.spacing) + " Bohr carries plane waves up to " + number(need.carried) + " Ha and " +
                       number(need.needed) +
                       " Ha are needed; energies depend on where atoms lie between the points, so use a spacing of at "
                       "most " +
                       number(need.allowed) + " Bohr");
  }
  return warnings;
}

}  // namespace tenken::dft
