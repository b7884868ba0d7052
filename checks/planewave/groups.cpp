#include "groups.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace tenken::planewave {

namespace {

std::string divisors(int n) {
  std::string text;
  for (int d = 1; d <= n; ++d)
    if (n % d == 0) text += (text.empty() ? "" : ", ") + std::to_string(d);
  return text;
}

// The most nearly square: rows <= columns.
int square_rows(int waves) {
  int rows = 1;
  for (int r = 1; r * r <= waves; ++r)
    if (waves % r == 0) rows = r;
  return rows;
}

int best_k(int ranks, std::int64_t k_points) {
  int best = 1;
  // Work of the busiest rank: its k-points over the ranks that share them.
  const auto work = [&](std::int64_t k) { return (k_points + k - 1) / k * k; };
  for (int k = 1; k <= ranks && k <= k_points; ++k)
    if (ranks % k == 0 && work(k) <= work(best)) best = k;
  return best;
}

}  // namespace

GroupGrid group_grid(const std::array<int, 3>& asked, int rows, int ranks, std::int64_t k_points, int most) {
  const auto [k, bands, waves] = asked;
  const std::string text = std::to_string(k) + "," + std::to_string(bands) + "," + std::to_string(waves);
  const auto no_grid = [&](const std::string& why) {
    refuse("--grid " + text + " (groups of k-points, of bands, of waves) " + why + "; use divisors of the " +
           std::to_string(ranks) + " ranks (" + divisors(ranks) + ") whose product is " + std::to_string(ranks) +
           ", or 0 for a number that the program chooses");
  };
  if (std::min({k, bands, waves}) < 0) no_grid("has a negative number");
  GroupGrid grid;
  grid.bands = std::max(bands, 1);
  const int fixed = grid.bands * std::max(waves, 1) * std::max(k, 1);
  if (ranks % fixed != 0) no_grid("does not divide the ranks");
  grid.k = k > 0 ? k : waves > 0 ? ranks / fixed : best_k(ranks / fixed, k_points);
  if (grid.k > k_points) {
    if (k == 0) no_grid("leaves " + std::to_string(grid.k) + " groups for " + std::to_string(k_points) + " k-points");
    refuse("--grid " + text + " has " + std::to_string(k) + " groups for " + std::to_string(k_points) +
           " k-points; use at most as many groups as k-points");
  }
  int shared = waves > 0 ? waves : ranks / (grid.k * grid.bands);
  // Bands are left to groups where too many ranks would share the waves of one.
  for (int groups = 1; bands == 0 && waves == 0 && rows == 0 && groups <= ranks / grid.k; ++groups) {
    if (ranks / grid.k % groups != 0) continue;
    grid.bands = groups;
    shared = ranks / grid.k / groups;
    if (shared / square_rows(shared) <= most) break;
  }
  if (grid.k * grid.bands * shared != ranks) no_grid("is not a grid of all ranks");
  if (rows < 0 || (rows > 0 && shared % rows != 0)) {
    refuse("--rows " + std::to_string(rows) + " does not divide the " + std::to_string(shared) +
           " ranks that share the waves of a band; use a divisor (" + divisors(shared) + ") or 0");
  }
  grid.rows = rows > 0 ? rows : square_rows(shared);
  grid.columns = shared / grid.rows;
  return grid;
}

Groups::Groups(MPI_Comm world, const GroupGrid& grid) : world_(world), grid_(grid) {
  MPI_Comm_rank(world, &rank_);
  column_ = rank_ % grid.columns;
  row_ = rank_ / grid.columns % grid.rows;
  band_ = rank_ / grid.waves() % grid.bands;
  k_ = rank_ / (grid.waves() * grid.bands);
  for (std::size_t a = 0; a < axes_.size(); ++a) MPI_Comm_split(world, colour(static_cast<Axis>(a)), rank_, &axes_[a]);
  MPI_Comm_split(world, k_, rank_, &of_k_);
}

Groups::~Groups() {
  for (MPI_Comm& comm : axes_) MPI_Comm_free(&comm);
  MPI_Comm_free(&of_k_);
}

int Groups::colour(Axis axis) const {
  const int band = k_ * grid_.bands + band_;
  switch (axis) {
    case Axis::k:
      return band_ * grid_.waves() + wave_rank();
    case Axis::bands:
      return k_ * grid_.waves() + wave_rank();
    case Axis::waves:
      return band;
    case Axis::rows:
      return band * grid_.columns + column_;
    case Axis::columns:
      return band * grid_.rows + row_;
  }
  return 0;
}

}  // namespace tenken::planewave
