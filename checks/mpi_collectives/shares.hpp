// Who gets how much, and who are neighbours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace mpi_collectives {

struct Shares {
  std::vector<int> counts;
  std::vector<int> starts;
};

// `words` over the ranks, unevenly, as 1 : 2 : 3 : 1 : ...; some have none where there are few.
inline Shares uneven_shares(std::int64_t words, int ranks) {
  const auto weight_before = [](std::int64_t rank) { return rank / 3 * 6 + (rank % 3) * (rank % 3 + 1) / 2; };
  Shares shares;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const auto start = words * weight_before(rank) / weight_before(ranks);
    const auto end = words * weight_before(rank + 1) / weight_before(ranks);
    shares.starts.push_back(static_cast<int>(start));
    shares.counts.push_back(static_cast<int>(end - start));
  }
  return shares;
}

// The other ranks beside `rank` on a periodic grid of rows x columns: at most four, none twice.
inline std::vector<int> neighbours_on_grid(int rank, int rows, int columns) {
  const int row = rank / columns;
  const int column = rank % columns;
  std::vector<int> found = {(row + 1) % rows * columns + column, (row + rows - 1) % rows * columns + column,
                            row * columns + (column + 1) % columns, row * columns + (column + columns - 1) % columns};
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase(found, rank);
  return found;
}

}  // namespace mpi_collectives
