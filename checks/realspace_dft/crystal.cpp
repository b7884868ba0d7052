#include "crystal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/toml.hpp"
#include "numerics/dft/crystals.hpp"
#include "numerics/dft/gth.hpp"
#include "numerics/dft/input.hpp"
#include "numerics/dft/ions.hpp"
#include "numerics/dft/xc.hpp"

namespace tenken::realspace {

namespace {

constexpr double fine = 0.65;  // Bohr: enough for silicon

std::array<int, 3> three(const Parameters& parameters, std::string_view name) {
  const auto given = parameters.integers(name);
  return {static_cast<int>(given[0]), static_cast<int>(given[1]), static_cast<int>(given[2])};
}

dft::Input input_of(const Parameters& parameters) {
  if (const std::string& path = parameters.text("input"); !path.empty()) {
    for (const char* name : {"crystal", "lattice", "repeat", "diameter", "points", "functional"}) {
      if (parameters.given(name))
        refuse("--" + std::string(name) + " and --input are both given; change the file, or leave one of them out");
    }
    const Toml file = Toml::from_file(path);
    dft::Input input = dft::input_from(file);
    file.require_all_read();
    if (input.k_grid != std::array{1, 1, 1})
      refuse("'" + path +
             "' has kpoints other than [1, 1, 1]; bands are real numbers at k = 0 here, so leave them out");
    return input;
  }
  const std::string& name = parameters.text("crystal");
  const std::array<int, 3> repeat = three(parameters, "repeat");
  dft::Input input = name == "wire" ? dft::silicon_wire(parameters.real("diameter"), repeat[2])
                                    : dft::diamond_cubes(name, parameters.real("lattice"), repeat);
  input.functional = dft::functional_from(parameters.text("functional"));
  input.grid.points = three(parameters, "points");
  if (input.grid.points == std::array<int, 3>{})
    for (std::size_t d = 0; d < 3; ++d)  // even numbers, of which FFTW knows good ones
      input.grid.points[d] = 2 * static_cast<int>(std::ceil(input.grid.cell[d] / fine / 2));
  return input;
}

}  // namespace

Crystal crystal_of(const Parameters& parameters) {
  Crystal crystal{input_of(parameters), 0};
  const dft::Input& input = crystal.input;
  if (const std::string& path = parameters.text("pseudopotentials"); !path.empty())
    dft::use_pseudopotentials(path, input.atoms);
  const std::int64_t occupied = dft::electrons(input.atoms) / 2, asked = parameters.integer("bands");
  if (*std::min_element(input.grid.points.begin(), input.grid.points.end()) < 5)
    refuse("--points " + parameters.text("points") +
           " has fewer than 5 points along an axis; use at least 5, or 0,0,0");
  if (asked > 0 && asked <= occupied) {
    refuse("--bands " + std::to_string(asked) + " leaves no empty band beside the " + std::to_string(occupied) +
           " occupied ones; use at least " + std::to_string(occupied + 1) + ", or 0");
  }
  crystal.bands = asked > 0 ? asked : occupied + std::max<std::int64_t>(8, occupied / 10);
  if (crystal.bands > input.grid.size()) {
    refuse("a grid of " + std::to_string(input.grid.size()) + " points is too coarse for " +
           std::to_string(crystal.bands) + " bands; use a finer grid");
  }
  if (parameters.flag("coarse")) return crystal;
  std::string text;
  for (const std::string& warning : dft::coarse_grid_warnings(input.grid, input.atoms)) text += warning + "; ";
  if (!text.empty()) refuse(text + "or --coarse true where energies are not meant");
  return crystal;
}

}  // namespace tenken::realspace
