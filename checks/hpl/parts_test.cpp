#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "base/random.hpp"
#include "size.hpp"
#include "swap.hpp"
#include "triangle.hpp"

using namespace hpl;

TEST_CASE("block-cyclic indices: every global index has one owner and one place there") {
  for (const int n : {1, 5, 16, 23}) {
    for (const int nb : {1, 3, 8, 40}) {
      for (const int parts : {1, 2, 3, 5}) {
        int total = 0;
        for (int me = 0; me < parts; ++me) {
          const Cyclic part{n, nb, parts, me};
          total += part.count();
          for (int l = 0; l < part.count(); ++l) {
            const int global = part.global(l);
            CHECK(part.owner(global) == me);
            CHECK(part.local(global) == l);
            CHECK(part.begin(global) == l);
            CHECK(part.begin(global + 1) == l + 1);
          }
        }
        CHECK(total == n);
      }
    }
  }
}

TEST_CASE("swaps one after the other, and all at once, bring every row to the same place") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const tenken::RandomStream random(seed, 0);
    const int rows = 40, first = 8, width = 1 + static_cast<int>(random.bits(0) % 12);
    Panel panel(12, rows);
    panel.shape(first, width, rows - first);
    std::vector<int> one_by_one(rows), at_once(rows);
    std::iota(one_by_one.begin(), one_by_one.end(), 0);
    std::iota(at_once.begin(), at_once.end(), 0);
    for (int j = 0; j < width; ++j) {
      const int pivot =
          first + j + static_cast<int>(random.bits(static_cast<std::uint64_t>(j) + 1) % (rows - first - j));
      panel.set_pivot(j, pivot);
      std::swap(one_by_one[first + j], one_by_one[pivot]);
    }
    const Moves moves = moves_of(panel);
    REQUIRE(moves.source.size() == static_cast<std::size_t>(width));
    for (int j = 0; j < width; ++j) at_once[first + j] = moves.source[j];
    for (const Moves::Down& one : moves.down) {
      CHECK(one.from >= first);
      CHECK(one.from < first + width);
      at_once[one.to] = one.from;
    }
    CHECK(at_once == one_by_one);
  }
}

TEST_CASE("the grid is the squarest that the ranks allow") {
  const std::vector<std::pair<int, int>> rows = {{1, 1}, {2, 1}, {4, 2}, {6, 2}, {7, 1}, {12, 3}, {36, 6}};
  for (const auto& [ranks, expected] : rows) CHECK(rows_of_squarest(ranks) == expected);
}

TEST_CASE("equations for a time and for a memory: as many as fit, in steps of a tenth at most") {
  for (const double seconds : {0.001, 0.1, 3.0, 1000.0}) {
    for (const double rate : {1e9, 1e11, 1e15}) {
      const int n = equations_within(seconds, rate);
      CHECK(seconds_of(n, rate) <= seconds);
      CHECK(seconds_of(1.2 * n + 2, rate) > seconds);
    }
  }
  CHECK(equations_of_bytes(8e9) == 31000);
  CHECK(equations_of_bytes(1) == 1);
  CHECK(equations_within(0.0, 1e9) == 1);
}

TEST_CASE("a triangle is solved for many columns by products, in blocks of which the last is smaller") {
  constexpr int columns = 7;
  for (const int n : {1, 63, 64, 150}) {
    const auto size = static_cast<std::size_t>(n);
    std::mt19937 draw(5);
    std::uniform_real_distribution<double> element(-1.0, 1.0);
    std::vector<double> l(size * size), wanted(size * columns), b(size * columns, 0.0), x(size * columns, 7.0);
    for (double& one : l) one = element(draw) / n;  // what is on and above the diagonal is not read
    for (double& one : wanted) one = element(draw);
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t i = 0; i < size; ++i) {
        b[i + c * size] = wanted[i + c * size];
        for (std::size_t k = 0; k < i; ++k) b[i + c * size] += l[i + k * size] * wanted[k + c * size];
      }
    }
    hpl::UnitLower triangle(150);
    triangle.set(l.data(), n);
    triangle.solve(columns, b.data(), x.data());
    double worst = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - wanted[i]));
    CHECK(worst < 1e-14);
  }
}
