#include "grid.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "testing/sanitized.hpp"

using namespace atmosphere;

namespace {

TEST_CASE("each cell is a point of its diamond once, and points of an edge are one cell for both diamonds") {
  for (const int level : {0, 1, 3}) {
    const std::int64_t n = std::int64_t{1} << level;
    std::set<std::int64_t> cells;
    for (int diamond = 0; diamond < diamonds; ++diamond) {
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < n; ++i) CHECK(cells.insert(cell_of(diamond, i, j, n)).second);
      }
      for (std::int64_t i = 0; i <= n; ++i) {
        for (const std::int64_t cell : {cell_of(diamond, i, n, n), cell_of(diamond, n, i, n)}) {
          CHECK((cells.contains(cell) || cell < diamonds * n * n + 2));
        }
      }
    }
    CHECK(static_cast<std::int64_t>(cells.size()) == cells_of_level(level) - 2);
  }
}

TEST_CASE("neighbours are so on both sides, twelve cells have five, the poles among them") {
  const Grid grid = make_grid(4, true);
  int pentagons = 0;
  for (std::size_t c = 0; c < grid.cells.size(); ++c) {
    const Grid::Cell& cell = grid.cells[c];
    pentagons += cell.neighbours == 5 ? 1 : 0;
    CHECK((cell.neighbours == 5 || cell.neighbours == 6));
    for (int k = 0; k < cell.neighbours; ++k) {
      const Grid::Cell& other = grid.cells[static_cast<std::size_t>(cell.cell[static_cast<std::size_t>(k)])];
      CHECK(std::count(other.cell.begin(), other.cell.begin() + other.neighbours, static_cast<std::int32_t>(c)) == 1);
      // Corner k belongs to the cell and to neighbours k and k + 1.
      std::array<std::int32_t, 3> of =
          grid.corners[static_cast<std::size_t>(cell.corner[static_cast<std::size_t>(k)])].cell;
      std::array<std::int32_t, 3> expected = {static_cast<std::int32_t>(c), cell.cell[static_cast<std::size_t>(k)],
                                              cell.cell[static_cast<std::size_t>((k + 1) % cell.neighbours)]};
      std::sort(of.begin(), of.end());
      std::sort(expected.begin(), expected.end());
      CHECK(of == expected);
    }
  }
  CHECK(pentagons == 12);
  for (const std::size_t pole : {grid.cells.size() - 2, grid.cells.size() - 1}) {
    CHECK(grid.cells[pole].neighbours == 5);
    CHECK(std::abs(grid.centre[pole].z) == doctest::Approx(1).epsilon(1e-12));
  }
}

TEST_CASE("areas fill the sphere, all triangles go around counter-clockwise, weights add up to 1") {
  for (const bool springs : {false, true}) {
    for (int level = 1; level <= 5; ++level) {
      const Grid grid = make_grid(level, springs);
      double total = 0;
      for (const double one : grid.area) {
        CHECK(one > 0);
        total += one;
      }
      CHECK(std::abs(total / (4 * std::numbers::pi) - 1) < 1e-12);
      for (const Grid::Corner& corner : grid.corners) {
        const auto at = [&](std::size_t i) { return grid.centre[static_cast<std::size_t>(corner.cell[i])]; };
        CHECK(area(at(0), at(1), at(2)) > 0);
        CHECK(std::abs(corner.weight[0] + corner.weight[1] + corner.weight[2] - 1) < 1e-14);
        CHECK(*std::min_element(corner.weight.begin(), corner.weight.end()) > 0.2);
      }
      CHECK(spacing_of(grid).greatest / spacing_of(grid).least < 1.3);
    }
  }
}

TEST_CASE("the net of springs comes to rest on fine grids" * doctest::skip(tenken::testing::sanitized)) {
  const Grid grid = make_grid(7, true);
  CHECK(spacing_of(grid).greatest / spacing_of(grid).least < 1.35);
  for (const Grid::Corner& corner : grid.corners) {
    CHECK(*std::min_element(corner.weight.begin(), corner.weight.end()) > 0.25);
  }
}

TEST_CASE("the slopes of a corner are exact for the plane through its cells") {
  const Grid grid = make_grid(3, true);
  const Vec slope{0.3, -0.5, 0.7};
  for (const Grid::Corner& corner : grid.corners) {
    Vec found{};
    std::array<Vec, 3> p;
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = grid.centre[static_cast<std::size_t>(corner.cell[i])];
      found += corner.slope[i] * dot(slope, p[i]);
    }
    CHECK(dot(found, p[1] - p[0]) == doctest::Approx(dot(slope, p[1] - p[0])).epsilon(1e-10));
    CHECK(dot(found, p[2] - p[0]) == doctest::Approx(dot(slope, p[2] - p[0])).epsilon(1e-10));
  }
}

TEST_CASE("nodes of a bisected grid are those of the finer grid") {
  const Grid coarse = make_grid(3, false), fine = make_grid(5, false);
  for (int diamond = 0; diamond < diamonds; ++diamond) {
    for (std::int64_t j = 0; j < 8; ++j) {
      for (std::int64_t i = 0; i < 8; ++i) {
        const Vec a = coarse.centre[static_cast<std::size_t>(cell_of(diamond, i, j, 8))];
        const Vec b = fine.centre[static_cast<std::size_t>(cell_of(diamond, 4 * i, 4 * j, 32))];
        CHECK(length(a - b) < 1e-15);
      }
    }
  }
}

}  // namespace
