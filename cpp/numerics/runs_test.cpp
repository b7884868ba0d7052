#include "numerics/runs.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace tenken;

TEST_CASE("chunks with the same pattern are packed alike only where the same columns may run") {
  // Two rows a chunk, each row coupled to the row two places later, with its place as value. Every second run may be.
  constexpr std::int64_t chunks = 200;
  const std::vector<std::int64_t> colour{0, chunks};
  const Runs runs = make_runs(
      2, colour,
      [](std::int64_t place, std::vector<Coupling>& row) {
        row.push_back({static_cast<std::int32_t>(place + 2), static_cast<double>(place)});
      },
      [](int, std::int64_t first) { return first % 4 == 0; });
  REQUIRE(runs.slots() == chunks);
  CHECK(runs.entries == 2 * chunks);
  CHECK(runs.lists == chunks / 2);
  for (std::size_t slot = 0; slot < chunks; ++slot) {
    INFO(slot);
    const auto first = static_cast<std::int32_t>(2 * slot + 2);
    if (first % 4 == 0) {
      CHECK(runs.start[slot] == first);
    } else {
      REQUIRE(runs.start[slot] < 0);
      const auto list = static_cast<std::size_t>(-1 - runs.start[slot]) * 2;
      CHECK(runs.list[list] == first);
      CHECK(runs.list[list + 1] == first + 1);
    }
    for (std::size_t lane = 0; lane < 2; ++lane) {
      CHECK(runs.value[2 * slot + lane] == static_cast<double>(2 * slot + lane));
    }
  }
}

TEST_CASE("chunks of many patterns, more than are kept, are packed each by its own") {
  // Row p of 1,000 is coupled to the place p p mod 997 alone.
  const std::vector<std::int64_t> colour{0, 250};
  const auto column = [](std::int64_t place) { return static_cast<std::int32_t>(place * place % 997); };
  const Runs runs = make_runs(
      4, colour,
      [&](std::int64_t place, std::vector<Coupling>& row) {
        row.push_back({column(place), 1.0 + 1e-3 * place});
      },
      [](int, std::int64_t) { return true; });
  CHECK(runs.entries == 1000);
  for (std::int64_t chunk = 0; chunk < 250; ++chunk) {
    for (std::int64_t lane = 0; lane < 4; ++lane) {
      INFO(chunk << " " << lane);
      double sum = 0;  // over the slots of the chunk, of value times column + 1
      for (std::int64_t slot = runs.begin[static_cast<std::size_t>(chunk)];
           slot < runs.begin[static_cast<std::size_t>(chunk) + 1]; ++slot) {
        const std::int32_t start = runs.start[static_cast<std::size_t>(slot)];
        const std::int64_t at =
            start >= 0 ? start + lane : runs.list[static_cast<std::size_t>((-1 - start) * 4 + lane)];
        sum += runs.value[static_cast<std::size_t>(slot * 4 + lane)] * static_cast<double>(at + 1);
      }
      const std::int64_t place = 4 * chunk + lane;
      CHECK(sum == (1.0 + 1e-3 * static_cast<double>(place)) * (column(place) + 1));
    }
  }
}
