#include "numerics/ordering.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/poisson.hpp"

using namespace tenken;

namespace {

// Symmetric, with `edges` random pairs; rows without any are parts of their own.
Csr<double> random_graph(std::int32_t rows, int edges, std::uint64_t seed) {
  const RandomStream random(seed, 5);
  std::vector<std::pair<std::int32_t, std::int32_t>> places;
  for (std::int32_t i = 0; i < rows; ++i) places.emplace_back(i, i);
  for (int e = 0; e < edges; ++e) {
    const auto at = [&](std::uint64_t n) {
      return static_cast<std::int32_t>(random.bits(n) % static_cast<std::uint64_t>(rows));
    };
    const auto i = at(2 * static_cast<std::uint64_t>(e)), j = at(2 * static_cast<std::uint64_t>(e) + 1);
    places.emplace_back(i, j);
    places.emplace_back(j, i);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Entry> entries;
  for (const auto& [i, j] : places) entries.push_back({i, j, 1});
  return csr_from(rows, rows, entries).first;
}

// The 27-point pattern of an n^3 box.
Csr<double> box27(int n) {
  std::vector<Entry> entries;
  const auto near = [n](int i, int j) {
    return std::abs(i % n - j % n) <= 1 && std::abs(i / n % n - j / n % n) <= 1 && std::abs(i / n / n - j / n / n) <= 1;
  };
  for (int i = 0; i < n * n * n; ++i) {
    for (int j = 0; j < n * n * n; ++j) {
      if (near(i, j)) entries.push_back({i, j, 1});
    }
  }
  return csr_from(n * n * n, n * n * n, entries).first;
}

}  // namespace

TEST_CASE("the levels of a box from its corner are x + y + z, and CM-RCM colours them in turn") {
  constexpr int n = 6;
  const Csr<double> a = poisson_matrix(n, n, n);
  const Ordering levels = cuthill_mckee(a);
  CHECK(levels.groups() == 3 * n - 2);
  for (std::int64_t l = 0; l < levels.groups(); ++l) {
    for (auto k = levels.begin[static_cast<std::size_t>(l)]; k < levels.begin[static_cast<std::size_t>(l) + 1]; ++k) {
      const int i = levels.order[static_cast<std::size_t>(k)];
      CHECK(i % n + i / n % n + i / n / n == l);
    }
  }
  for (const int k : {2, 3, 10, 12, 100}) {
    const Ordering colours = cm_rcm(a, k);
    CHECK(colouring_error(a, colours) == "");
    CHECK(colours.groups() == std::min(k, 3 * n - 2));
    std::int64_t last_level = -1;
    for (std::int64_t at = 0; at < colours.begin[1]; ++at) {  // colour 0: levels 0, k, 2k, ...
      const int i = colours.order[static_cast<std::size_t>(at)];
      const int level = i % n + i / n % n + i / n / n;
      CHECK(level % k == 0);
      CHECK(level >= last_level);
      last_level = level;
    }
  }
}

TEST_CASE("levels follow the definition on any graph, parts that are not connected included") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Csr<double> a = random_graph(60, 70, seed);
    const Pattern pattern(a);
    const Ordering levels = cuthill_mckee(a);
    std::vector<std::int64_t> level(60, -1);
    for (std::int64_t l = 0; l < levels.groups(); ++l) {
      for (auto k = levels.begin[static_cast<std::size_t>(l)]; k < levels.begin[static_cast<std::size_t>(l) + 1]; ++k) {
        level[static_cast<std::size_t>(levels.order[static_cast<std::size_t>(k)])] = l;
      }
    }
    CHECK(std::find(level.begin(), level.end(), -1) == level.end());
    for (std::int32_t i = 0; i < 60; ++i) {
      for (const std::int32_t j : pattern.row(i)) {
        CHECK(std::abs(level[static_cast<std::size_t>(i)] - level[static_cast<std::size_t>(j)]) <= 1);
      }
    }
    Ordering reversed = reverse_cuthill_mckee(a);
    CHECK(reversed.groups() == levels.groups());
    CHECK(std::equal(levels.order.rbegin(), levels.order.rend(), reversed.order.begin()));
    CHECK(reversed.begin.back() == 60);
    CHECK(reversed.begin[1] == 60 - levels.begin[levels.begin.size() - 2]);
  }
}

TEST_CASE("reverse Cuthill-McKee gives a shuffled chain its bandwidth of 1 back") {
  std::vector<std::int32_t> shuffled(50);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  for (std::size_t i = 49; i > 0; --i) std::swap(shuffled[i], shuffled[RandomStream(1, 1).bits(i) % (i + 1)]);
  const Csr<double> chain = permuted<double>(poisson_matrix(50, 1, 1), shuffled);
  CHECK(bandwidth(chain) > 5);
  CHECK(bandwidth(permuted<double>(chain, reverse_cuthill_mckee(chain).order)) == 1);
}

TEST_CASE("greedy colours are valid on any graph, and as few as known") {
  CHECK(greedy_colours(poisson_matrix(5, 4, 3)).groups() == 2);
  const Csr<double> box = box27(4);
  CHECK(greedy_colours(box).groups() == 8);
  CHECK(colouring_error(box, greedy_colours(box, cuthill_mckee(box).order)) == "");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Csr<double> a = random_graph(80, 300, seed);
    CHECK(colouring_error(a, greedy_colours(a)) == "");
    CHECK(colouring_error(a, greedy_colours(a, cuthill_mckee(a).order)) == "");
  }
}

TEST_CASE("an invalid colouring is said") {
  const Csr<double> a = poisson_matrix(4, 1, 1);
  CHECK(colouring_error(a, {{0, 2, 1, 3}, {0, 2, 4}}) == "");
  CHECK(colouring_error(a, {{0, 1, 2, 3}, {0, 2, 4}}) == "rows 1 and 2 touch and both have colour 0");
  CHECK(colouring_error(a, {{0, 2, 1, 1}, {0, 2, 4}}) == "row 2 comes twice");
  CHECK(colouring_error(a, {{0, 2, 1}, {0, 2, 3}}) == "row 4 is missing");
  CHECK(colouring_error(a, {{0, 2, 1, 4}, {0, 2, 4}}) == "row 5 does not exist");
  CHECK(colouring_error(a, {{0, 2, 1, 3}, {0, 2}}) == "the colours do not contain all rows");
}

TEST_CASE("CM-RCM refuses fewer than two colours, and levels whose rows touch") {
  CHECK_THROWS_WITH_AS(cm_rcm(poisson_matrix(2, 2, 2), 1),
                       "CM-RCM(1) does not exist: rows of neighbouring levels touch; use 2 colours or more", UserError);
  CHECK_THROWS_WITH_AS(
      cm_rcm(box27(3), 10),
      "CM-RCM cannot colour this matrix: rows 2 and 4 touch and are both in level 1; use greedy colours", UserError);
}

TEST_CASE("natural levels follow the definition: each row directly after the last earlier row that it touches") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Csr<double> a = random_graph(60, 70, seed);
    const Ordering levels = natural_levels(a);
    CHECK(colouring_error(a, levels) == "");
    std::vector<std::int64_t> of(60);
    for (std::int64_t l = 0; l < levels.groups(); ++l) {
      const auto first = levels.order.begin() + levels.begin[static_cast<std::size_t>(l)];
      const auto last = levels.order.begin() + levels.begin[static_cast<std::size_t>(l) + 1];
      CHECK(first < last);
      CHECK(std::is_sorted(first, last));
      for (auto i = first; i != last; ++i) of[static_cast<std::size_t>(*i)] = l;
    }
    for (std::int64_t i = 0; i < 60; ++i) {
      std::int64_t before = -1;
      for (const std::int32_t j : Pattern(a).row(i)) {
        if (j < i) before = std::max(before, of[static_cast<std::size_t>(j)]);
      }
      CHECK(of[static_cast<std::size_t>(i)] == before + 1);
    }
  }
  constexpr int n = 5;
  CHECK(natural_levels(poisson_matrix(n, n, n)).groups() == 3 * n - 2);
}
