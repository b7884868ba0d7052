// Plane waves below a cut-off: against a plain loop over a box, shared over ranks, refusals.
#include "sphere.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "base/error.hpp"

using namespace tenken;
using namespace tenken::planewave;

namespace {

using Frequency = std::array<int, 3>;

struct Case {
  dft::Grid grid;
  dft::Vector k;
  double cut_off;
};
const std::vector<Case> cases{
    {{{24, 24, 24}, {10.26, 10.26, 10.26}}, {0, 0, 0}, 12},
    {{{24, 24, 24}, {10.26, 10.26, 10.26}}, {0.0765, 0.0765, 0.2296}, 12},
    {{{6, 5, 9}, {6, 5, 9}}, {0.04, -0.05, 0.03}, 3.3},
    {{{20, 40, 18}, {7, 13, 5.5}}, {-0.3, 0.1, 0.4}, 8},
    {{{11, 7, 9}, {6, 6, 6}}, {2.1, 0, 0}, 3},  // k outside of the first Brillouin zone
};

double kinetic(const Case& one, const Frequency& f) {
  double sum = 0;
  for (std::size_t d = 0; d < 3; ++d) sum += std::pow(one.k[d] + 2 * std::numbers::pi * f[d] / one.grid.cell[d], 2);
  return sum / 2;
}

// Every f of a box that has more than the grid's.
std::set<Frequency> plain_loop(const Case& one) {
  std::set<Frequency> found;
  const auto [nx, ny, nz] = one.grid.points;
  for (int x = -nx; x <= nx; ++x)
    for (int y = -ny; y <= ny; ++y)
      for (int z = -nz; z <= nz; ++z)
        if (kinetic(one, {x, y, z}) <= one.cut_off) found.insert({x, y, z});
  return found;
}

std::string refusal(const dft::Grid& grid, const dft::Vector& k, double cut_off, RankGrid ranks, int rank = 0) {
  try {
    Sphere(grid, k, cut_off, ranks, rank);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("ranks have every wave of a plain loop over the box once, with its energy") {
  for (const Case& one : cases) {
    const std::set<Frequency> expected = plain_loop(one);
    for (const RankGrid ranks : {RankGrid{1, 1}, {2, 1}, {1, 3}, {3, 2}}) {
      CAPTURE(one.cut_off);
      CAPTURE(ranks.rows);
      CAPTURE(ranks.columns);
      std::set<Frequency> found;
      std::int64_t sum = 0;
      for (int rank = 0; rank < ranks.rows * ranks.columns; ++rank) {
        const Sphere sphere(one.grid, one.k, one.cut_off, ranks, rank);
        sum += sphere.waves();
        CHECK(sphere.waves() > 0);
        CHECK(sphere.all_waves() == static_cast<std::int64_t>(expected.size()));
        REQUIRE(sphere.frequency().size() == sphere.kinetic().size());
        found.insert(sphere.frequency().begin(), sphere.frequency().end());
        double off = 0;
        for (std::size_t i = 0; i < sphere.kinetic().size(); ++i)
          off = std::max(off, std::abs(sphere.kinetic()[i] / kinetic(one, sphere.frequency()[i]) - 1));
        if (one.k[0] != 0) CHECK(off < 1e-14);
      }
      CHECK(sum == static_cast<std::int64_t>(expected.size()));
      CHECK(found == expected);
    }
  }
}

TEST_CASE("sticks name their waves in order, and rows and columns share them") {
  const Case& one = cases[1];
  const RankGrid ranks{3, 4};
  std::set<std::pair<int, int>> sticks;
  std::vector<int> x_of_all;
  for (int rank = 0; rank < 12; ++rank) {
    const Sphere sphere(one.grid, one.k, one.cut_off, ranks, rank);
    CHECK(sphere.row() == rank / 4);
    CHECK(sphere.column() == rank % 4);
    const std::vector<int>& x = sphere.x_of_row(sphere.row());
    std::int64_t wave = 0;
    std::pair<int, int> before{-1, -1};
    for (const Stick& stick : sphere.sticks()) {
      CHECK(stick.first == wave);
      CHECK(std::pair{stick.x, stick.y} > before);
      before = {stick.x, stick.y};
      CHECK(sticks.emplace(x[static_cast<std::size_t>(stick.x)], stick.y).second);
      for (int i = 0; i < stick.waves; ++i, ++wave) {
        const Frequency f = sphere.frequency()[static_cast<std::size_t>(wave)];
        CHECK((f[0] + 24) % 24 == x[static_cast<std::size_t>(stick.x)]);
        CHECK((f[1] + 24) % 24 == stick.y);
        CHECK(f[2] == stick.lowest + i);
      }
    }
    CHECK(wave == sphere.waves());
    if (sphere.column() == 0) x_of_all.insert(x_of_all.end(), x.begin(), x.end());
  }
  std::sort(x_of_all.begin(), x_of_all.end());
  CHECK(std::adjacent_find(x_of_all.begin(), x_of_all.end()) == x_of_all.end());
}

TEST_CASE("waves of two ranks of a row differ by a third of the longest stick at most, rows by half of the fullest x") {
  for (const Case& one : {cases[0], cases[1], cases[3]}) {
    const RankGrid ranks{3, 4};
    std::vector<std::int64_t> of_row(3);
    std::int64_t fullest = 0;
    for (int row = 0; row < 3; ++row) {
      std::vector<std::int64_t> waves;
      std::int64_t longest = 0;
      std::vector<std::int64_t> of_x(static_cast<std::size_t>(one.grid.points[0]));
      for (int column = 0; column < 4; ++column) {
        const Sphere sphere(one.grid, one.k, one.cut_off, ranks, row * 4 + column);
        waves.push_back(sphere.waves());
        for (const Stick& stick : sphere.sticks()) {
          longest = std::max<std::int64_t>(longest, stick.waves);
          of_x[static_cast<std::size_t>(stick.x)] += stick.waves;
        }
      }
      const auto [least, most] = std::minmax_element(waves.begin(), waves.end());
      CHECK(3 * (*most - *least) <= longest);
      for (const std::int64_t each : waves) of_row[static_cast<std::size_t>(row)] += each;
      fullest = std::max(fullest, *std::max_element(of_x.begin(), of_x.end()));
    }
    const auto [least, most] = std::minmax_element(of_row.begin(), of_row.end());
    CHECK(2 * (*most - *least) <= fullest);
  }
}

TEST_CASE("points of all ranks are the grid, each once") {
  for (const RankGrid ranks : {RankGrid{1, 1}, {2, 2}, {3, 2}, {1, 6}}) {
    std::vector<int> times(6 * 5 * 9);
    for (int rank = 0; rank < ranks.rows * ranks.columns; ++rank) {
      const Sphere sphere(cases[2].grid, cases[2].k, cases[2].cut_off, ranks, rank);
      const std::vector<std::int64_t> index = sphere.grid_points();
      CHECK(static_cast<std::int64_t>(index.size()) == sphere.points());
      CHECK(sphere.points() == 6 * sphere.y().size() * sphere.z().size());
      for (const std::int64_t at : index) ++times[static_cast<std::size_t>(at)];
      const Range y = sphere.y(), z = sphere.z();
      const auto at = static_cast<std::size_t>((y.size() * z.size() - 1) * 6 + 4);  // x = 4, last y, last z
      CHECK(index[at] == (4 * 5 + y.last - 1) * 9 + z.last - 1);
      if (z.size() > 1) CHECK(index[6 + 2] == (2 * 5 + y.first) * 9 + z.first + 1);  // x = 2, first y, second z
    }
    CHECK(std::count(times.begin(), times.end(), 1) == 6 * 5 * 9);
  }
}

TEST_CASE("waves of equal length as the cut-off belong to the sphere together") {
  for (const double length : {10.26, 6.74, 8.24}) {
    const dft::Grid grid{{15, 15, 15}, {length, length, length}};
    const double unit = 2 * std::numbers::pi / length;
    for (const int shell : {9, 14, 17, 26, 29, 41}) {  // |f|^2, of vectors of several forms
      std::int64_t expected = 0;
      for (int x = -7; x <= 7; ++x)
        for (int y = -7; y <= 7; ++y)
          for (int z = -7; z <= 7; ++z) expected += x * x + y * y + z * z <= shell ? 1 : 0;
      CAPTURE(length);
      CAPTURE(shell);
      CHECK(Sphere(grid, {}, shell * unit * unit / 2, {}, 0).all_waves() == expected);
      CHECK(Sphere(grid, {}, shell * (unit / 2) * unit * (1 + 1e-9), {}, 0).all_waves() == expected);
      CHECK(Sphere(grid, {}, shell * unit * unit / 2 * (1 - 1e-9), {}, 0).all_waves() < expected);
    }
  }
}

TEST_CASE("input without plane waves or points for every rank is refused by name") {
  const Case& one = cases[2];
  const auto on = [&](RankGrid ranks, int rank = 0) { return refusal(one.grid, one.k, one.cut_off, ranks, rank); };
  CHECK(on({5, 3}) == "");
  CHECK(on({6, 1}) ==
        "a cut-off of 3.3 Hartree leaves ranks without plane waves or points on a grid of 6 x 1 ranks; use at most "
        "5 x 3 ranks or a higher cut-off");
  CHECK(on({1, 10}) ==
        "a cut-off of 3.3 Hartree leaves ranks without plane waves or points on a grid of 1 x 10 ranks; use at most "
        "1 x 9 ranks or a higher cut-off");
  CHECK(on({5, 4}).find("at most 5 x 3 ranks") != std::string::npos);
  CHECK(on({2, 2}, 4) ==
        "rank 4 is not on a grid of 2 x 2 ranks; give at least 1 row and 1 column and a rank below their product");
  CHECK(refusal(one.grid, {0.5, 0, 0}, 0.1, {}) ==
        "a cut-off of 0.1 Hartree has no plane waves at this k; choose a higher cut-off");
  CHECK(refusal(one.grid, {}, -1, {}) == "a cut-off of -1 Hartree has no plane waves; give a positive number");
  CHECK(refusal(one.grid, {}, std::nan(""), {}).find("give a positive number") != std::string::npos);
  CHECK(refusal(one.grid, {0, NAN, 0}, 1, {}) == "k is not finite along y; give a number in 1/Bohr");
  CHECK(refusal({{6, 0, 9}, {6, 5, 9}}, {}, 1, {}) ==
        "a cell of 5 Bohr with 0 points along y is no grid; give a positive length and at least 1 point");
  CHECK(refusal(one.grid, {}, 6, {}) ==
        "a cut-off of 6 Hartree has waves of frequency 3 along x, which 6 points do not separate; use at least 7 "
        "points or a lower cut-off");
  CHECK(refusal(one.grid, {}, 1e30, {}).find("choose a lower cut-off") != std::string::npos);
}

}  // namespace
