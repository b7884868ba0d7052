#include "problem.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

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

// Ranks that have the card of this rank.
int ranks_of_card(MPI_Comm comm, const gpu::Facts& card) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int ranks = 1;
  MPI_Comm_size(node, &ranks);
  const std::uint64_t mine = std::hash<std::string>{}(card.id.empty() ? card.bus : card.id);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(ranks));
  MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, node);
  MPI_Comm_free(&node);
  return static_cast<int>(std::count(all.begin(), all.end(), mine));
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

double require_memory(const Check& check, const Index<3>& cells, double solver_bytes) {
  const double bytes = Multigrid::bytes(cells) + solver_bytes;
  check.require_memory(bytes, who(cells));
  return bytes;
}

void require_card_memory(const Check& check, const gpu::Facts& card, const Index<3>& cells, double bytes) {
  const int ranks = ranks_of_card(check.comm(), card);
  const double needed = check.max_over_ranks(ranks * bytes);
  const double free = -check.max_over_ranks(-static_cast<double>(card.free_bytes));
  if (needed <= free) return;
  char text[160];
  std::snprintf(
      text, sizeof text,
      " needs %.3g GiB of a card (%d %s), but %.3g GiB of %s are free; choose smaller --cells, or free the card",
      needed / (1 << 30), ranks, ranks == 1 ? "rank" : "ranks", free / (1 << 30), card.name.c_str());
  impossible(who(cells) + text);
}

}  // namespace tenken::hpcg
