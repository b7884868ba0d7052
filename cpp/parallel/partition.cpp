#include "parallel/partition.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/error.hpp"

namespace tenken {

namespace {

template <std::size_t n>
std::string listed(const Index<n>& numbers) {
  std::string text;
  for (const int each : numbers) text += (text.empty() ? "" : ",") + std::to_string(each);
  return text;
}

// Cells of the largest block, then what it sends, then (negative) its cells that need no halo.
template <std::size_t n>
std::array<std::int64_t, 3> cost(const Index<n>& cells, const Index<n>& grid) {
  Index<n> extents;
  for (std::size_t d = 0; d < n; ++d) extents[d] = (cells[d] + grid[d] - 1) / grid[d];
  std::int64_t sent = 0, interior = 1;
  for (std::size_t d = 0; d < n; ++d) {
    sent += grid[d] > 1 ? 2 * product(extents) / extents[d] : 0;
    interior *= grid[d] > 1 ? std::max(extents[d] - 2, 0) : extents[d];
  }
  return {product(extents), sent, -interior};
}

template <std::size_t n>
void try_grids(const Index<n>& cells, int ranks, std::size_t d, Index<n>& grid, std::optional<Index<n>>& best) {
  if (d + 1 == n) {
    grid[d] = ranks;
    if (ranks <= cells[d] && (!best || cost(cells, grid) < cost(cells, *best))) best = grid;
    return;
  }
  for (int here = 1; here <= ranks && here <= cells[d]; ++here) {
    if (ranks % here != 0) continue;
    grid[d] = here;
    try_grids(cells, ranks / here, d + 1, grid, best);
  }
}

}  // namespace

template <std::size_t n>
Partition<n>::Partition(const Index<n>& cells, const Index<n>& grid, const Periodic<n>& periodic, int rank)
    : cells_(cells), grid_(grid), periodic_(periodic), place_(coordinates(rank, grid)) {
  for (std::size_t d = 0; d < n; ++d) {
    if (cells[d] < grid[d]) {
      refuse("grid " + listed(grid) + " leaves ranks without cells: there are " + std::to_string(cells[d]) +
             " cells in " + "xyzt"[d] + " for " + std::to_string(grid[d]) +
             " ranks; use fewer ranks there, or more cells");
    }
    const int each = cells[d] / grid[d];
    const int more = cells[d] % grid[d];
    extents_[d] = each + (place_[d] < more ? 1 : 0);
    offset_[d] = place_[d] * each + (place_[d] < more ? place_[d] : more);
  }
}

template <std::size_t n>
int Partition<n>::neighbour(const Index<n>& step) const {
  Index<n> there;
  for (std::size_t d = 0; d < n; ++d) {
    there[d] = place_[d] + step[d];
    if (there[d] >= 0 && there[d] < grid_[d]) continue;
    if (!periodic_[d]) return no_rank;
    there[d] = (there[d] + grid_[d]) % grid_[d];
  }
  return static_cast<int>(position(there, grid_));
}

template <std::size_t n>
int Partition<n>::neighbour(int dimension, Side side) const {
  Index<n> step{};
  step[static_cast<std::size_t>(dimension)] = side == Side::upper ? 1 : -1;
  return neighbour(step);
}

template <std::size_t n>
Index<n> balanced_grid(const Index<n>& cells, int ranks) {
  Index<n> grid;
  std::optional<Index<n>> best;
  try_grids(cells, ranks, 0, grid, best);
  if (best) return *best;
  refuse("a box of " + listed(cells) + " cells cannot be cut into " + std::to_string(ranks) +
         " blocks of whole cells; use fewer ranks, or more cells");
}

template class Partition<1>;
template class Partition<2>;
template class Partition<3>;
template class Partition<4>;
template Index<1> balanced_grid(const Index<1>&, int);
template Index<2> balanced_grid(const Index<2>&, int);
template Index<3> balanced_grid(const Index<3>&, int);
template Index<4> balanced_grid(const Index<4>&, int);

}  // namespace tenken
