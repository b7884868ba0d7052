#include "problem.hpp"

#include <string>

#include "base/error.hpp"
#include "best.hpp"
#include "input.hpp"
#include "multigrid.hpp"
#include "parallel/text_file.hpp"
#include "process_grid.hpp"
#include "reference.hpp"

namespace tenken::hpcg {

namespace {

Index<3> index3(const Parameters& parameters, std::string_view name) {
  const auto numbers = parameters.integers(name);
  return {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2])};
}

std::string listed(const Index<3>& index) {
  return std::to_string(index[0]) + "," + std::to_string(index[1]) + "," + std::to_string(index[2]);
}

Index<3> cells_of(const Parameters& parameters) {
  const Index<3> cells = index3(parameters, "cells");
  for (const int each : cells) {
    if (each % 8 != 0) {
      refuse("--cells " + listed(cells) + " cannot be halved three times; give multiples of 8, such as 16,16,16");
    }
  }
  return cells;
}

Index<3> ranks_of(const Check& check) {
  const Index<3> asked = index3(check.parameters(), "grid");
  if (asked == Index<3>{}) return reference_grid(check.ranks());
  if (product(asked) != check.ranks()) {
    refuse("--grid " + listed(asked) + " needs " + std::to_string(product(asked)) + " ranks, but " +
           std::to_string(check.ranks()) + " were started; start as many, or leave --grid out");
  }
  return asked;
}

}  // namespace

Problem problem_of(const Check& check) {
  const Parameters& parameters = check.parameters();
  const std::string& file = parameters.text("input");
  if (file.empty()) return {cells_of(parameters), ranks_of(check), std::nullopt};
  if (parameters.given("cells")) refuse("--input states the cells of a rank; leave --cells out");
  const Input input = read_input(text_for_all(check.comm(), "--input", file, 1 << 16), file);
  return {input.cells, ranks_of(check),
          parameters.given("seconds") ? std::nullopt : std::optional<double>(input.seconds)};
}

double require_memory(const Check& check, const Index<3>& cells) {
  const double solver = check.variant() == "best" ? Best::bytes(cells) : Reference::bytes(cells);
  const double bytes = Multigrid::bytes(cells) + solver;
  check.require_memory(bytes, "HPCG with " + listed(cells) + " cells a rank");
  return bytes;
}

}  // namespace tenken::hpcg
