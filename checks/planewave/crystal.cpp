#include "crystal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "base/error.hpp"
#include "base/toml.hpp"
#include "numerics/dft/crystals.hpp"
#include "numerics/dft/gth.hpp"
#include "numerics/dft/input.hpp"
#include "numerics/dft/ions.hpp"
#include "numerics/dft/xc.hpp"

namespace tenken::planewave {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

bool smooth(int n) {
  for (const int p : {2, 3, 5, 7})
    while (n % p == 0) n /= p;
  return n == 1;
}

// Differences of two waves reach so many wave numbers of the axis to either side.
int reach(double cell, double cut_off) {
  return static_cast<int>(std::floor(2 * std::sqrt(2 * cut_off) * cell / (2 * std::numbers::pi)));
}

int next_good(int least, int multiple) {
  int n = (least + multiple - 1) / multiple * multiple;
  while (!smooth(n)) n += multiple;
  return n;
}

int multiple_of(int reduction) { return reduction > 1 ? 4 : 1; }  // glides by a quarter of the cell

std::array<int, 3> three(const Parameters& parameters, std::string_view name) {
  const auto given = parameters.integers(name);
  return {static_cast<int>(given[0]), static_cast<int>(given[1]), static_cast<int>(given[2])};
}

dft::Input input_of(const Parameters& parameters) {
  if (const std::string& path = parameters.text("input"); !path.empty()) {
    for (const char* name : {"crystal", "lattice", "repeat", "points", "kpoints", "reduction", "functional"}) {
      if (parameters.given(name))
        refuse("--" + std::string(name) + " and --input are both given; change the file, or leave one of them out");
    }
    const Toml file = Toml::from_file(path);
    dft::Input input = dft::input_from(file);
    file.require_all_read();
    return input;
  }
  dft::Input input =
      dft::diamond_cubes(parameters.text("crystal"), parameters.real("lattice"), three(parameters, "repeat"));
  input.k_grid = three(parameters, "kpoints");
  input.reduction = static_cast<int>(parameters.integer("reduction"));
  input.functional = dft::functional_from(parameters.text("functional"));
  input.grid.points = three(parameters, "points");
  return input;
}

void choose_points(dft::Input& input, double cut_off) {
  std::array<int, 3>& points = input.grid.points;
  const int multiple = multiple_of(input.reduction);
  const bool chosen = points == std::array<int, 3>{};
  for (std::size_t d = 0; d < 3; ++d) {
    const int least = 2 * reach(input.grid.cell[d], cut_off) + 1;
    if (chosen) points[d] = next_good(least, multiple);
    const std::string axis(1, "xyz"[d]);
    if (points[d] < least) {
      refuse("a grid of " + std::to_string(points[d]) + " points along " + axis + " is too coarse for a cut-off of " +
             number(cut_off) + " Ha, whose products of two waves need " + std::to_string(least) + "; use " +
             std::to_string(next_good(least, multiple)) + ", or leave the number out");
    }
    if (!smooth(points[d])) {
      int below = points[d];
      while (below > 1 && !smooth(below)) --below;
      const std::string other = below >= least ? std::to_string(below) + " or " : "";
      refuse("a grid of " + std::to_string(points[d]) + " points along " + axis +
             " has a prime factor above 7, which makes transforms slow; use " + other +
             std::to_string(next_good(points[d], 1)));
    }
  }
}

}  // namespace

int good_points(double cell, double cut_off, int multiple) { return next_good(2 * reach(cell, cut_off) + 1, multiple); }

Crystal crystal_of(const Parameters& parameters) {
  Crystal crystal;
  crystal.input = input_of(parameters);
  crystal.input.projectors_on_grid = false;
  crystal.cut_off = parameters.real("cut_off");
  choose_points(crystal.input, crystal.cut_off);
  if (const std::string& path = parameters.text("pseudopotentials"); !path.empty())
    dft::use_pseudopotentials(path, crystal.input.atoms);
  const std::int64_t occupied = dft::electrons(crystal.input.atoms) / 2, asked = parameters.integer("bands");
  if (asked > 0 && asked <= occupied) {
    refuse("--bands " + std::to_string(asked) + " leaves no empty band beside the " + std::to_string(occupied) +
           " occupied ones; use at least " + std::to_string(occupied + 1) + ", or 0");
  }
  // Empty bands beside the occupied ones let these converge.
  crystal.bands = asked > 0 ? asked : occupied + std::max<std::int64_t>(8, occupied / 10);
  return crystal;
}

int most_to_share(const Crystal& crystal) {
  const dft::Vector& cell = crystal.input.grid.cell;
  return std::max(1, reach(*std::min_element(cell.begin(), cell.end()), crystal.cut_off) / 2);
}

double published_total(const Parameters& parameters, const Crystal& crystal) {
  struct Known {
    const char* name;
    double cut_off;
    dft::Functional functional;
    double total;
  };
  using dft::Functional;
  constexpr std::array<Known, 8> known{{{"si", 12, Functional::perdew_zunger, -31.738546},
                                        {"si", 20, Functional::perdew_zunger, -31.747905},
                                        {"si", 35, Functional::perdew_zunger, -31.748913},
                                        {"si", 35, Functional::pade, -31.731497},
                                        {"c", 40, Functional::perdew_zunger, -45.681751},
                                        {"c", 60, Functional::perdew_zunger, -45.713779},
                                        {"c", 90, Functional::perdew_zunger, -45.716828},
                                        {"sic", 40, Functional::perdew_zunger, -38.806548}}};
  const dft::Input& input = crystal.input;
  for (const char* own : {"input", "pseudopotentials"})
    if (!parameters.text(own).empty()) return 0;
  if (parameters.real("lattice") != 0 || input.k_grid != std::array{4, 4, 4} || input.atoms.size() != 8) return 0;
  for (const Known& each : known) {
    if (parameters.text("crystal") == each.name && crystal.cut_off == each.cut_off &&
        input.functional == each.functional)
      return each.total;
  }
  return 0;
}

}  // namespace tenken::planewave
