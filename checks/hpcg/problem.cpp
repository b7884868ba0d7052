#include "problem.hpp"

#include <cstdio>
#include <string>

#include "base/error.hpp"
#include "input.hpp"
#include "multigrid.hpp"
#include "parallel/text_file.hpp"
#include "process_grid.hpp"

namespace tenken::hpcg {

namespace {

Index<3> index3(const Parameters& parameters, std::string_view name) {
  const auto numbers = parameters.integers(name);
  return {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2])};
}

std::string listed(const Index<3>& index) {
  return std::to_string(index[0]) + "," + std::to_string(index[1]) + "," + std::to_string(index[2]);
}

std::string who(const Index<3>& cells) { return "HPCG with " + listed(cells) + " cells a rank"; }

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

double require_memory(const Check& check, const Index<3>& cells, double solver_bytes) {
  const double bytes = Multigrid::bytes(cells) + solver_bytes;
  check.require_memory(bytes, who(cells));
  return bytes;
}

void require_card_memory(const gpu::Facts& card, const Index<3>& cells, double bytes) {
  if (bytes <= static_cast<double>(card.free_bytes)) return;
  char text[120];
  std::snprintf(text, sizeof text,
                " needs %.3g GiB of the card, but %.3g GiB are free; choose smaller --cells, or free the card",
                bytes / (1 << 30), static_cast<double>(card.free_bytes) / (1 << 30));
  impossible("GPU " + std::to_string(card.index) + " (" + card.name + "): " + who(cells) + text);
}

}  // namespace tenken::hpcg
