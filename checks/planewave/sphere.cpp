#include "sphere.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "base/error.hpp"

namespace tenken::planewave {

namespace {

using Column = Stick;  // with x as index of the grid

std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

// Twice the kinetic energy of k + G along one axis; its sum over the axes is |k + G|^2.
double square(const dft::Grid& grid, const dft::Vector& k, std::size_t axis, int f) {
  const double component = k[axis] + 2 * std::numbers::pi / grid.cell[axis] * f;
  return component * component;
}

struct Interval {
  int first = 0, last = -1;  // both belong to it
};
// Whole f of one axis with square(f) <= most.
Interval frequencies(const dft::Grid& grid, const dft::Vector& k, std::size_t axis, double most) {
  const double unit = 2 * std::numbers::pi / grid.cell[axis], radius = std::sqrt(most);
  Interval found{static_cast<int>(std::ceil((-radius - k[axis]) / unit)) - 1,
                 static_cast<int>(std::floor((radius - k[axis]) / unit)) + 1};
  while (found.first <= found.last && square(grid, k, axis, found.first) > most) ++found.first;
  while (found.first <= found.last && square(grid, k, axis, found.last) > most) --found.last;
  return found;
}

int index_of(int f, int n) { return f < 0 ? f + n : f; }

void require_numbers(const dft::Grid& grid, const dft::Vector& k, double cut_off) {
  if (!(cut_off > 0) || !std::isfinite(cut_off))
    refuse("a cut-off of " + number(cut_off) + " Hartree has no plane waves; give a positive number");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    if (grid.points[axis] < 1 || !(grid.cell[axis] > 0) || !std::isfinite(grid.cell[axis]))
      refuse("a cell of " + number(grid.cell[axis]) + " Bohr with " + std::to_string(grid.points[axis]) +
             " points along " + name + " is no grid; give a positive length and at least 1 point");
    if (!std::isfinite(k[axis])) refuse("k is not finite along " + name + "; give a number in 1/Bohr");
  }
  // Beyond this the count of waves alone has no place in memory.
  const double longest = std::sqrt(2 * cut_off) * *std::max_element(grid.cell.begin(), grid.cell.end());
  if (longest > 1e6)
    refuse("a cut-off of " + number(cut_off) +
           " Hartree needs more than 100,000 points along an axis; choose a lower cut-off");
}

void require_resolved(const dft::Grid& grid, const Interval& f, std::size_t axis, double cut_off) {
  const int most = std::max(std::abs(f.first), std::abs(f.last));
  if (f.first > f.last || 2 * most < grid.points[axis]) return;
  refuse("a cut-off of " + number(cut_off) + " Hartree has waves of frequency " + std::to_string(most) + " along " +
         "xyz"[axis] + ", which " + std::to_string(grid.points[axis]) + " points do not separate; use at least " +
         std::to_string(2 * most + 1) + " points or a lower cut-off");
}

std::vector<Column> columns_of(const dft::Grid& grid, const dft::Vector& k, double cut_off) {
  const double most = 2 * cut_off * (1 + 2e-12);
  const Interval fx = frequencies(grid, k, 0, most), fy = frequencies(grid, k, 1, most);
  require_resolved(grid, fx, 0, cut_off);
  require_resolved(grid, fy, 1, cut_off);
  require_resolved(grid, frequencies(grid, k, 2, most), 2, cut_off);
  std::vector<Column> columns;
  for (int x = fx.first; x <= fx.last; ++x) {
    for (int y = fy.first; y <= fy.last; ++y) {
      const double left = most - square(grid, k, 0, x) - square(grid, k, 1, y);
      if (left < 0) continue;
      const Interval fz = frequencies(grid, k, 2, left);
      if (fz.first > fz.last) continue;
      columns.push_back({.x = index_of(x, grid.points[0]),
                         .y = index_of(y, grid.points[1]),
                         .lowest = fz.first,
                         .waves = fz.last - fz.first + 1});
    }
  }
  std::sort(columns.begin(), columns.end(),
            [](const Column& a, const Column& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  return columns;
}

// Which of `bins` each load goes to: longest first, to the least loaded; of equal ones the first.
std::vector<std::size_t> shared_out(const std::vector<std::int64_t>& loads, int bins) {
  std::vector<std::size_t> order(loads.size()), to(loads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return loads[a] > loads[b]; });
  std::vector<std::int64_t> sums(static_cast<std::size_t>(bins));
  for (const std::size_t i : order) {
    const auto least = std::min_element(sums.begin(), sums.end());
    to[i] = static_cast<std::size_t>(least - sums.begin());
    *least += loads[i];
  }
  return to;
}

// [row]: the x that the row has, ascending.
std::vector<std::vector<int>> x_of_rows(const std::vector<Column>& columns, int points, int rows) {
  std::vector<std::int64_t> waves(static_cast<std::size_t>(points)), loads;
  for (const Column& one : columns) waves[static_cast<std::size_t>(one.x)] += one.waves;
  std::vector<int> with_waves;
  for (int x = 0; x < points; ++x) {
    if (waves[static_cast<std::size_t>(x)] == 0) continue;
    with_waves.push_back(x);
    loads.push_back(waves[static_cast<std::size_t>(x)]);
  }
  const std::vector<std::size_t> to = shared_out(loads, rows);
  std::vector<std::vector<int>> x(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < with_waves.size(); ++i) x[to[i]].push_back(with_waves[i]);
  return x;
}

int least_sticks(const std::vector<Column>& columns, const std::vector<std::vector<int>>& x_of_row) {
  int least = static_cast<int>(columns.size());
  for (const std::vector<int>& x : x_of_row) {
    const auto of_row = [&](const Column& one) { return std::binary_search(x.begin(), x.end(), one.x); };
    least = std::min(least, static_cast<int>(std::count_if(columns.begin(), columns.end(), of_row)));
  }
  return least;
}

// Every rank has a stick and a point.
void require_work_for_all(const dft::Grid& grid, const std::vector<Column>& columns, double cut_off, RankGrid ranks) {
  if (columns.empty())
    refuse("a cut-off of " + number(cut_off) + " Hartree has no plane waves at this k; choose a higher cut-off");
  const int with_waves = static_cast<int>(x_of_rows(columns, grid.points[0], 1)[0].size());
  const int rows = std::min({ranks.rows, with_waves, grid.points[1]});
  const int sticks = std::min(least_sticks(columns, x_of_rows(columns, grid.points[0], rows)), grid.points[2]);
  if (ranks.rows == rows && ranks.columns <= sticks) return;
  refuse("a cut-off of " + number(cut_off) + " Hartree leaves ranks without plane waves or points on a grid of " +
         std::to_string(ranks.rows) + " x " + std::to_string(ranks.columns) + " ranks; use at most " +
         std::to_string(rows) + " x " + std::to_string(sticks) + " ranks or a higher cut-off");
}

}  // namespace

Sphere::Sphere(const dft::Grid& grid, const dft::Vector& k, double cut_off, RankGrid ranks, int rank)
    : grid_(grid), ranks_(ranks) {
  if (ranks.rows < 1 || ranks.columns < 1 || rank < 0 || rank >= ranks.rows * ranks.columns)
    refuse("rank " + std::to_string(rank) + " is not on a grid of " + std::to_string(ranks.rows) + " x " +
           std::to_string(ranks.columns) + " ranks; give at least 1 row and 1 column and a rank below their product");
  row_ = rank / ranks.columns, column_ = rank % ranks.columns;
  require_numbers(grid, k, cut_off);
  const std::vector<Column> all = columns_of(grid, k, cut_off);
  require_work_for_all(grid, all, cut_off, ranks);
  for (const Column& one : all) all_waves_ += one.waves;

  x_ = x_of_rows(all, grid.points[0], ranks.rows);
  const std::vector<int>& own_x = x_of_row(row_);
  std::vector<Stick> of_row;
  std::vector<std::int64_t> loads;
  for (const Column& one : all) {
    const auto at = std::lower_bound(own_x.begin(), own_x.end(), one.x);
    if (at == own_x.end() || *at != one.x) continue;
    of_row.push_back(one);
    of_row.back().x = static_cast<int>(at - own_x.begin());
    loads.push_back(one.waves);
  }
  const std::vector<std::size_t> to = shared_out(loads, ranks.columns);
  sticks_.resize(static_cast<std::size_t>(ranks.columns));
  std::vector<std::int64_t> waves_of(sticks_.size());
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    of_row[i].first = waves_of[to[i]];
    waves_of[to[i]] += of_row[i].waves;
    sticks_[to[i]].push_back(of_row[i]);
  }

  const auto signed_of = [](int index, int n) { return 2 * index < n ? index : index - n; };
  for (const Stick& stick : sticks()) {
    const int fx = signed_of(own_x[static_cast<std::size_t>(stick.x)], grid.points[0]);
    const int fy = signed_of(stick.y, grid.points[1]);
    for (int fz = stick.lowest; fz < stick.lowest + stick.waves; ++fz) {
      frequency_.push_back({fx, fy, fz});
      kinetic_.push_back((square(grid, k, 0, fx) + square(grid, k, 1, fy) + square(grid, k, 2, fz)) / 2);
    }
  }
}

std::vector<std::int64_t> Sphere::grid_points() const {
  std::vector<std::int64_t> index;
  index.reserve(static_cast<std::size_t>(points()));
  for (std::int64_t j = y().first; j < y().last; ++j)
    for (std::int64_t m = z().first; m < z().last; ++m)
      for (int x = 0; x < grid_.points[0]; ++x)
        index.push_back((x * std::int64_t{grid_.points[1]} + j) * grid_.points[2] + m);
  return index;
}

}  // namespace tenken::planewave
