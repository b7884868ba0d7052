#include "series.hpp"

#include <doctest/doctest.h>

using namespace tenken;
using gpu_evenness::Series;

TEST_CASE("rates are medians of seconds, and what was not read is empty") {
  Series series({"a", "b"});
  series.rate(0.1, 0, 5);
  series.rate(0.5, 0, 7);
  series.rate(0.9, 0, 100);
  series.rate(2.2, 1, 3);
  const auto tables = series.tables();
  REQUIRE(tables.size() == 1);
  const Table& rate = tables[0];
  CHECK(rate.name == "rate");
  CHECK(rate.rows == std::vector<std::string>{"t 1 s", "t 2 s", "t 3 s"});
  CHECK(rate.columns == std::vector<std::string>{"a", "b"});
  const std::vector<std::optional<double>> expected{7, {}, {}, {}, {}, 3};
  CHECK(rate.values == expected);
}

TEST_CASE("an hour is at most 120 bins") {
  Series series({"a"});
  for (int s = 0; s < 3600; ++s) series.rate(s + 0.5, 0, s);
  const Table rate = series.tables()[0];
  CHECK(rate.rows.size() == 120);
  CHECK(rate.rows.back() == "t 3600 s");
  CHECK(rate.values.front() == 15);
}

TEST_CASE("reasons are parts of the readings of each card") {
  Series series({"a", "b"});
  for (int s = 0; s < 4; ++s) {
    series.rate(s, 0, 1);
    series.reading(s, 0, {1.98e9, {}, 60, 0x1});
    series.reading(s, 1, {1.41e9, 650, 60, s == 0 ? 0x4U : 0x24U});
  }
  const auto tables = series.tables();
  REQUIRE(tables.size() == 5);
  CHECK(tables[1].values[1] == 1.41);
  CHECK(!tables[2].values[0]);
  const Table& reasons = tables[4];
  CHECK(reasons.columns == std::vector<std::string>{"heat", "power limit"});
  const std::vector<std::optional<double>> expected{0, 0, 75, 100};
  CHECK(reasons.values == expected);
}

TEST_CASE("the driver's word on the memory of each card, where it has one") {
  Series series({"a", "b"});
  series.rate(0, 0, 1);
  series.health(0, {});
  CHECK(series.tables().size() == 1);
  series.health(1, {true, {}, 2});
  const Table memory = series.tables().back();
  CHECK(memory.name == "memory");
  const std::vector<std::optional<double>> expected{{}, {}, {}, 1, {}, 2};
  CHECK(memory.values == expected);
}
