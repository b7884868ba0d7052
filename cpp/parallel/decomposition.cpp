#include "parallel/decomposition.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace tenken {

namespace {

std::string listed(const Index4& numbers) {
  std::string text;
  for (const int n : numbers) text += (text.empty() ? "" : ",") + std::to_string(n);
  return text;
}

// What a grid costs: first the sites of all faces that one block sends, then (negative) its sites that need no halo.
std::pair<std::int64_t, std::int64_t> cost(const Index4& lattice, const Index4& grid) {
  const std::int64_t volume = product(lattice) / product(grid);
  std::int64_t sent = 0;
  std::int64_t interior = 1;
  for (int d = 0; d < dimensions; ++d) {
    const int extent = lattice[d] / grid[d];
    if (grid[d] > 1) sent += 2 * volume / extent;
    interior *= grid[d] > 1 ? std::max(extent - 2, 0) : extent;
  }
  return {sent, -interior};
}

std::optional<Index4> best_grid(const Index4& lattice, int ranks) {
  std::optional<Index4> best;
  // x slowest from few ranks to many: the first of equal grids cuts the later dimensions.
  for (int x = 1; x <= ranks; ++x) {
    if (ranks % x != 0 || lattice[0] % x != 0) continue;
    for (int y = 1; y <= ranks / x; ++y) {
      if ((ranks / x) % y != 0 || lattice[1] % y != 0) continue;
      const int rest = ranks / x / y;
      for (int z = 1; z <= rest; ++z) {
        if (rest % z != 0 || lattice[2] % z != 0 || lattice[3] % (rest / z) != 0) continue;
        const Index4 grid{x, y, z, rest / z};
        if (!best || cost(lattice, grid) < cost(lattice, *best)) best = grid;
      }
    }
  }
  return best;
}

void require_divisible(const Index4& lattice, const Index4& grid, int d) {
  if (lattice[d] % grid[d] == 0) return;
  const int below = lattice[d] / grid[d] * grid[d];
  std::string sizes = std::to_string(below + grid[d]);
  if (below > 0) sizes = std::to_string(below) + " or " + sizes;
  refuse("grid " + listed(grid) + " cannot divide lattice " + listed(lattice) + ": extent " +
         std::to_string(lattice[d]) + " in " + "xyzt"[d] + " is not a multiple of " + std::to_string(grid[d]) +
         "; use extent " + sizes + " there, another --grid, or 0,0,0,0 to have one chosen");
}

}  // namespace

Index4 choose_grid(const Index4& lattice, int ranks) {
  if (const auto grid = best_grid(lattice, ranks)) return *grid;
  int fewer = ranks - 1;
  while (!best_grid(lattice, fewer)) --fewer;  // one rank always works
  std::string counts = std::to_string(fewer);
  for (int more = ranks + 1; more <= product(lattice) && more <= 2 * ranks; ++more) {
    if (best_grid(lattice, more)) {
      counts += " or " + std::to_string(more);
      break;
    }
  }
  refuse("lattice " + listed(lattice) + " cannot be divided over " + std::to_string(ranks) +
         " ranks: no grid of that many ranks divides the extents in x, y, z and t; use " + counts +
         " ranks, or an extent in t that is a multiple of " + std::to_string(ranks));
}

Index4 checked_grid(const Index4& lattice, const Index4& grid, int ranks) {
  if (grid == Index4{}) return choose_grid(lattice, ranks);
  for (int d = 0; d < dimensions; ++d) {
    if (grid[d] < 1) {
      refuse("grid " + listed(grid) + " has " + std::to_string(grid[d]) + " ranks in " + "xyzt"[d] +
             "; use 1 or more in every dimension, or 0,0,0,0 to have a grid chosen");
    }
  }
  if (product(grid) != ranks) {
    refuse("grid " + listed(grid) + " needs " + std::to_string(product(grid)) + " ranks, but " + std::to_string(ranks) +
           " were started; start " + std::to_string(product(grid)) + " or use --grid 0,0,0,0");
  }
  for (int d = 0; d < dimensions; ++d) require_divisible(lattice, grid, d);
  return grid;
}

Index4 spread_grid(const Index4& block, int ranks) {
  Index4 grid{1, 1, 1, 1};
  const auto give = [&](int factor) {
    int least = dimensions - 1;
    for (int d = dimensions - 1; d >= 0; --d) {
      if (block[d] * grid[d] < block[least] * grid[least]) least = d;
    }
    grid[least] *= factor;
  };
  // Largest factor first: the small ones can then level out what it did.
  for (int factor = ranks; factor > 1; --factor) {
    bool prime = true;
    for (int q = 2; q * q <= factor; ++q) prime = prime && factor % q != 0;
    for (; prime && ranks % factor == 0; ranks /= factor) give(factor);
  }
  return grid;
}

}  // namespace tenken
