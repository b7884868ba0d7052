#include <doctest/doctest.h>

#include "pair_times.hpp"

using namespace mpi_pairs;

TEST_CASE("a cell is the median of what its player saw of the other, and empty where they did not meet") {
  const Players players = players_of(MPI_COMM_WORLD, "ranks");
  const int n = players.size();
  PairTimes times(players, 3);
  const auto ns = [](int me, int other) { return 1000 * (10 * me + other); };
  for (const int other : players.ranks) {
    if (other == players.me || other + players.me == n) continue;  // 1 and n - 1 do not meet
    for (const int factor : {4, 1, 2}) times.add(other, factor * ns(players.me, other), 2);
  }
  const tenken::Table table = times.table(MPI_COMM_WORLD, "n1", "latency");
  CHECK(table.name == "latency");
  CHECK(table.rows == table.columns);
  if (players.me != 0) return;
  CHECK(table.rows.back() == "rank " + std::to_string(n - 1));
  REQUIRE(table.values.size() == static_cast<std::size_t>(n * n));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto cell = table.values[static_cast<std::size_t>(i * n + j)];
      CHECK(cell.has_value() == (i != j && i + j != n));
      if (cell)
        CHECK(*cell == doctest::Approx(ns(i, j) / 1000.0));  // the middle of 4, 1 and 2 times, two messages each
    }
  }
}
