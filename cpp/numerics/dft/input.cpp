#include "numerics/dft/input.hpp"

#include <cmath>

#include "base/error.hpp"
#include "numerics/dft/xc.hpp"

namespace tenken::dft {

namespace {

[[noreturn]] void wrong(const Toml& toml, const std::string& what) { refuse("'" + toml.source() + "': " + what); }

int count_from(const Toml& toml, const std::string& key, double value) {
  if (!(value >= 1 && value <= 1e6) || value != std::floor(value))
    wrong(toml, "'" + key + "' must be whole and at least 1");
  return static_cast<int>(value);
}

Vector cell_from(const Toml& toml) {
  Vector cell{};
  if (const auto rows = toml.rows("cell")) {
    bool square = rows->size() == 3;
    for (std::size_t i = 0; square && i < 3; ++i) square = (*rows)[i].size() == 3;
    if (!square) wrong(toml, "'cell' must be three lengths, or three rows of three numbers");
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        if (i == j) {
          cell[i] = (*rows)[i][j];
        } else if ((*rows)[i][j] != 0) {
          wrong(toml, "the cell is not orthogonal; state one whose sides lie along x, y and z, larger if need be");
        }
      }
    return cell;
  }
  const auto lengths = toml.numbers("cell", 3);
  if (!lengths) wrong(toml, "'cell' is missing; state three lengths in Bohr");
  for (std::size_t d = 0; d < 3; ++d) cell[d] = (*lengths)[d];
  return cell;
}

}  // namespace

Input input_from(const Toml& toml) {
  Input input;
  input.grid.cell = cell_from(toml);
  const auto points = toml.numbers("grid", 3);
  if (!points) wrong(toml, "'grid' is missing; state three numbers of points");
  const auto k = toml.numbers("kpoints", 3);
  for (std::size_t d = 0; d < 3; ++d) {
    input.grid.points[d] = count_from(toml, "grid", (*points)[d]);
    if (k) input.k_grid[d] = count_from(toml, "kpoints", (*k)[d]);
  }
  if (const auto reduction = toml.number("reduction")) input.reduction = count_from(toml, "reduction", *reduction);
  if (const auto functional = toml.word("functional")) input.functional = functional_from(*functional);
  for (std::size_t i = 0; i < toml.tables("atom"); ++i) {
    const std::string table = "atom." + std::to_string(i) + ".";
    const auto element = toml.word(table + "element");
    const auto fraction = toml.numbers(table + "fraction", 3), bohr = toml.numbers(table + "bohr", 3);
    if (!element || fraction.has_value() == bohr.has_value())
      wrong(toml, "[[atom]] " + std::to_string(i + 1) + " must have 'element' and either 'fraction' or 'bohr'");
    Atom atom{*element, {}};
    for (std::size_t d = 0; d < 3; ++d) atom.position[d] = bohr ? (*bohr)[d] : (*fraction)[d] * input.grid.cell[d];
    input.atoms.push_back(atom);
  }
  return input;
}

}  // namespace tenken::dft
