#include "grid.hpp"

#include <algorithm>
#include <numbers>

namespace atmosphere {

namespace {

constexpr int around = 5;  // diamonds around a pole

int next(int k) { return (k + 1) % around; }

// The twelve corners of the icosahedron: poles, and rings of five at latitude +-atan(1/2).
struct Icosahedron {
  Vec north{0, 0, 1}, south{0, 0, -1};
  std::array<Vec, around> upper, lower;

  Icosahedron() {
    const double latitude = std::atan(0.5), step = 2 * std::numbers::pi / around;
    for (int k = 0; k < around; ++k) {
      const auto at = [&](double longitude, double sign) {
        return Vec{std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
                   sign * std::sin(latitude)};
      };
      upper[static_cast<std::size_t>(k)] = at(step * k, 1);
      lower[static_cast<std::size_t>(k)] = at(step * (k + 0.5), -1);
    }
  }
};

// The corners a (0, 0), b (n, 0), c (n, n) and d (0, n) of a diamond; its triangles meet in the diagonal from a to c.
std::array<Vec, 4> corners_of(const Icosahedron& of, int diamond) {
  const auto k = static_cast<std::size_t>(diamond % around), after = static_cast<std::size_t>(next(diamond % around));
  if (diamond < around) return {of.upper[k], of.north, of.upper[after], of.lower[k]};
  return {of.lower[k], of.upper[after], of.lower[after], of.south};
}

void bisect(const Icosahedron& of, int diamond, std::int64_t n, std::vector<Vec>& centre) {
  std::vector<Vec> points(static_cast<std::size_t>((n + 1) * (n + 1)));
  const auto at = [&](std::int64_t i, std::int64_t j) -> Vec& {
    return points[static_cast<std::size_t>(j * (n + 1) + i)];
  };
  const std::array<Vec, 4> corner = corners_of(of, diamond);
  at(0, 0) = corner[0], at(n, 0) = corner[1], at(n, n) = corner[2], at(0, n) = corner[3];
  for (std::int64_t step = n; step > 1; step /= 2) {
    const std::int64_t half = step / 2;
    for (std::int64_t j = 0; j <= n; j += step) {
      for (std::int64_t i = 0; i + step <= n; i += step) {
        at(i + half, j) = unit(at(i, j) + at(i + step, j));
        at(j, i + half) = unit(at(j, i) + at(j, i + step));
      }
    }
    for (std::int64_t j = 0; j + step <= n; j += step) {
      for (std::int64_t i = 0; i + step <= n; i += step)
        at(i + half, j + half) = unit(at(i, j) + at(i + step, j + step));
    }
  }
  for (std::int64_t j = 0; j <= n; ++j) {
    for (std::int64_t i = 0; i <= n; ++i) centre[static_cast<std::size_t>(cell_of(diamond, i, j, n))] = at(i, j);
  }
}

// Two triangles of each square of a diamond, counter-clockwise.
void list_corners(Grid& grid, std::int64_t n) {
  for (int diamond = 0; diamond < diamonds; ++diamond) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < n; ++i) {
        const auto cell = [&](std::int64_t di, std::int64_t dj) {
          return static_cast<std::int32_t>(cell_of(diamond, i + di, j + dj, n));
        };
        grid.corners.push_back({.cell = {cell(0, 0), cell(1, 1), cell(1, 0)}});
        grid.corners.push_back({.cell = {cell(0, 0), cell(0, 1), cell(1, 1)}});
      }
    }
  }
}

// Chains the triangles around each cell.
void list_neighbours(Grid& grid) {
  struct Link {
    std::int32_t from, to, corner;
  };
  std::vector<std::array<Link, Grid::most>> links(grid.centre.size());
  for (std::size_t at = 0; at < grid.corners.size(); ++at) {
    const auto& of = grid.corners[at].cell;
    for (std::size_t i = 0; i < 3; ++i) {
      Grid::Cell& cell = grid.cells[static_cast<std::size_t>(of[i])];
      links[static_cast<std::size_t>(of[i])][static_cast<std::size_t>(cell.neighbours++)] = {
          of[(i + 1) % 3], of[(i + 2) % 3], static_cast<std::int32_t>(at)};
    }
  }
  for (std::size_t c = 0; c < grid.cells.size(); ++c) {
    Grid::Cell& cell = grid.cells[c];
    const auto count = static_cast<std::size_t>(cell.neighbours);
    std::int32_t from = links[c][0].from;
    for (std::size_t k = 0; k < count; ++k) {
      const auto link = std::find_if(links[c].begin(), links[c].begin() + static_cast<std::ptrdiff_t>(count),
                                     [&](const Link& one) { return one.from == from; });
      cell.cell[k] = from;
      cell.corner[k] = link->corner;
      from = link->to;
    }
  }
}

// Relaxes the nodes as points of a net of springs, with momentum and friction. The twelve corners of the icosahedron
// stay where they are by symmetry.
void relax(Grid& grid) {
  // The natural length over that of a regular grid. Springs are pressed: with 1.2 the net gives way from level 7 on.
  constexpr double beta = 1.15;
  const double natural =
      beta * 2 * std::numbers::pi / (10.0 * static_cast<double>(std::int64_t{1} << (grid.level - 1)));
  const int steps = 200 + 12 * (1 << grid.level);
  constexpr double stiffness = 0.15;
  const double friction = 4.0 / static_cast<double>(1 << grid.level);  // damps the longest waves within the steps
  std::vector<Vec> speed(grid.centre.size()), moved(grid.centre.size());
  for (int step = 0; step < steps; ++step) {
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < grid.cells.size(); ++c) {
      const Vec at = grid.centre[c];
      Vec force{};
      for (int k = 0; k < grid.cells[c].neighbours; ++k) {
        const Vec to = grid.centre[static_cast<std::size_t>(grid.cells[c].cell[static_cast<std::size_t>(k)])] - at;
        const double distance = length(to);
        force += to * ((distance - natural) / distance);
      }
      Vec v = (speed[c] + force * stiffness) * (1 / (1 + friction));
      v = v - at * dot(v, at);
      speed[c] = v;
      moved[c] = unit(at + v);
    }
    grid.centre.swap(moved);
  }
}

// In the order of the cells' numbers, so that every user of the corner gets the same bits.
void place_corners(Grid& grid) {
#pragma omp parallel for schedule(static)
  for (std::size_t at = 0; at < grid.corners.size(); ++at) {
    std::array<std::int32_t, 3> sorted = grid.corners[at].cell;
    std::sort(sorted.begin(), sorted.end());
    Vec sum{};
    for (const std::int32_t cell : sorted) sum += grid.centre[static_cast<std::size_t>(cell)];
    grid.corners[at].at = unit(sum);
  }
}

double area_of(const Grid& grid, std::size_t c, Vec* gravity) {
  const Grid::Cell& cell = grid.cells[c];
  const auto count = static_cast<std::size_t>(cell.neighbours);
  double total = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec& before = grid.corners[static_cast<std::size_t>(cell.corner[(k + count - 1) % count])].at;
    const Vec& after = grid.corners[static_cast<std::size_t>(cell.corner[k])].at;
    const double part = area(grid.centre[c], before, after);
    total += part;
    if (gravity != nullptr) *gravity += (grid.centre[c] + before + after) * part;
  }
  return total;
}

void move_to_gravity_centres(Grid& grid) {
  std::vector<Vec> moved(grid.centre.size());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < moved.size(); ++c) {
    Vec gravity{};
    area_of(grid, c, &gravity);
    moved[c] = unit(gravity);
  }
  grid.centre.swap(moved);
}

// Weights by the areas of the three triangles that a corner makes with its cells; slopes of the plane through them.
void weigh_corners(Grid& grid) {
#pragma omp parallel for schedule(static)
  for (std::size_t at = 0; at < grid.corners.size(); ++at) {
    Grid::Corner& corner = grid.corners[at];
    std::array<Vec, 3> p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = grid.centre[static_cast<std::size_t>(corner.cell[i])];
    double total = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      corner.weight[i] = area(corner.at, p[(i + 1) % 3], p[(i + 2) % 3]);
      total += corner.weight[i];
    }
    const Vec normal = cross(p[1] - p[0], p[2] - p[0]);
    const double square = dot(normal, normal);
    for (std::size_t i = 0; i < 3; ++i) {
      corner.weight[i] /= total;
      corner.slope[i] = cross(normal, p[(i + 2) % 3] - p[(i + 1) % 3]) * (1 / square);
    }
  }
}

}  // namespace

std::int64_t cell_of(int diamond, std::int64_t i, std::int64_t j, std::int64_t n) {
  const int k = diamond % around;
  const std::int64_t poles = diamonds * n * n;
  if (diamond < around) {
    if (i == n && j == 0) return poles;
    if (i == n) return cell_of(next(k), n - j, 0, n);  // on the edge from the pole to the next diamond
    if (j == n) return cell_of(around + k, i, 0, n);
  } else {
    if (j == n && i == 0) return poles + 1;
    if (i == n && j == n) return cell_of(around + next(k), 0, 0, n);
    if (i == n) return cell_of(next(k), 0, j, n);
    if (j == n) return cell_of(around + next(k), 0, n - i, n);
  }
  return (diamond * n + j) * n + i;
}

Grid make_grid(int level, bool springs) {
  const std::int64_t n = std::int64_t{1} << level;
  Grid grid;
  grid.level = level;
  grid.centre.resize(static_cast<std::size_t>(cells_of_level(level)));
  grid.cells.resize(grid.centre.size());
  grid.corners.reserve(2 * grid.centre.size() - 4);
  const Icosahedron icosahedron;
  for (int diamond = 0; diamond < diamonds; ++diamond) bisect(icosahedron, diamond, n, grid.centre);
  list_corners(grid, n);
  list_neighbours(grid);
  if (springs) relax(grid);
  place_corners(grid);
  if (springs) move_to_gravity_centres(grid);
  weigh_corners(grid);
  grid.area.resize(grid.centre.size());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < grid.area.size(); ++c) grid.area[c] = area_of(grid, c, nullptr);
  return grid;
}

Spacing spacing_of(const Grid& grid) {
  Spacing found{10, 0, 0};
  double pairs = 0;
  for (std::size_t c = 0; c < grid.cells.size(); ++c) {
    for (int k = 0; k < grid.cells[c].neighbours; ++k) {
      const double distance =
          arc(grid.centre[c], grid.centre[static_cast<std::size_t>(grid.cells[c].cell[static_cast<std::size_t>(k)])]);
      found.least = std::min(found.least, distance);
      found.greatest = std::max(found.greatest, distance);
      found.mean += distance;
      pairs += 1;
    }
  }
  found.mean /= pairs;
  return found;
}

double grid_bytes(int level) {
  const auto cells = static_cast<double>(cells_of_level(level));
  constexpr double making = 2 * sizeof(Vec) + 6 * 12;  // springs, links of triangles
  return cells * (sizeof(Vec) + sizeof(double) + sizeof(Grid::Cell) + 2 * sizeof(Grid::Corner) + making);
}

}  // namespace atmosphere
