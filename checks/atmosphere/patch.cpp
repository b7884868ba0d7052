#include "patch.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace atmosphere {

int Regions::of(std::int64_t cell) const {
  const std::int64_t n = std::int64_t{1} << grid_level, poles = diamonds * n * n;
  if (cell == poles) return 0;
  if (cell == poles + 1) return count() - 1;
  const std::int64_t diamond = cell / (n * n), in_diamond = cell % (n * n);
  const std::int64_t edge = n >> level, a_row = std::int64_t{1} << level;
  const std::int64_t i = in_diamond % n / edge, j = in_diamond / n / edge;
  return static_cast<int>((diamond * a_row + j) * a_row + i);
}

int first_region(const Regions& regions, int rank, int ranks) {
  return static_cast<int>(static_cast<std::int64_t>(regions.count()) * rank / ranks);
}

int rank_of_region(const Regions& regions, int region, int ranks) {
  int rank = static_cast<int>(static_cast<std::int64_t>(region) * ranks / regions.count());
  while (rank + 1 < ranks && first_region(regions, rank + 1, ranks) <= region) ++rank;
  while (first_region(regions, rank, ranks) > region) --rank;
  return rank;
}

Patch make_patch(const Grid& grid, const Regions& regions, int rank, int ranks) {
  const auto rank_of = [&](std::int64_t cell) { return rank_of_region(regions, regions.of(cell), ranks); };
  Patch patch;
  std::vector<std::pair<int, std::int32_t>> own;  // region and cell
  for (std::int64_t cell = 0; cell < grid.size(); ++cell) {
    if (rank_of(cell) == rank) own.emplace_back(regions.of(cell), static_cast<std::int32_t>(cell));
  }
  std::sort(own.begin(), own.end());
  patch.own = static_cast<std::int64_t>(own.size());
  std::vector<std::int32_t> item_of(static_cast<std::size_t>(grid.size()), -1);
  for (const auto& [region, cell] : own) {
    item_of[static_cast<std::size_t>(cell)] = static_cast<std::int32_t>(patch.cells.size());
    patch.cells.push_back(cell);
  }
  // What this rank receives and sends, cell by cell: neighbours are so on both sides.
  std::map<int, std::set<std::int32_t>> receive, send;
  for (const auto& [region, cell] : own) {
    const Grid::Cell& of = grid.cells[static_cast<std::size_t>(cell)];
    for (int k = 0; k < of.neighbours; ++k) {
      const std::int32_t other = of.cell[static_cast<std::size_t>(k)];
      const int owner = rank_of(other);
      if (owner == rank) continue;
      receive[owner].insert(other);
      send[owner].insert(cell);
    }
  }
  for (const auto& [owner, cells] : receive) {
    tenken::Neighbour neighbour{owner, {}, {}};
    for (const std::int32_t cell : cells) {
      item_of[static_cast<std::size_t>(cell)] = static_cast<std::int32_t>(patch.cells.size());
      neighbour.receive.push_back(static_cast<std::int32_t>(patch.cells.size()));
      patch.cells.push_back(cell);
    }
    for (const std::int32_t cell : send[owner]) neighbour.send.push_back(item_of[static_cast<std::size_t>(cell)]);
    patch.lists.neighbours.push_back(neighbour);
  }
  patch.lists.items = patch.items();
  patch.neighbour.resize(static_cast<std::size_t>(Grid::most * patch.own));
  for (std::int64_t item = 0; item < patch.own; ++item) {
    const Grid::Cell& of = grid.cells[static_cast<std::size_t>(patch.cells[static_cast<std::size_t>(item)])];
    for (int slot = 0; slot < Grid::most; ++slot) {
      const std::int32_t to = slot < of.neighbours
                                  ? item_of[static_cast<std::size_t>(of.cell[static_cast<std::size_t>(slot)])]
                                  : static_cast<std::int32_t>(item);
      patch.neighbour[static_cast<std::size_t>(slot * patch.own + item)] = to;
    }
  }
  return patch;
}

}  // namespace atmosphere
