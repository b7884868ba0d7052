// Eight colours of a box of cells that are coupled to all 26 around them: a cell's colour is which of its coordinates
// are odd. In the order of sweeps the cells that the next grid keeps, all coordinates even, come last: a backward sweep
// begins with them, so that the residual that is restricted there is not 0. Of the orders with that property that were
// tried, this one needs the fewest iterations (docs/decisions/solvers.md#20).
#pragma once

#include <array>

#include "numerics/ordering.hpp"
#include "parallel/partition.hpp"

namespace tenken::hpcg {

constexpr int colour_count = 8;
// Bit d: whether coordinate d is odd.
constexpr std::array<int, colour_count> parities{3, 5, 6, 7, 1, 2, 4, 0};
constexpr int kept_colour = colour_count - 1;

// Rows x fastest. Where a box is one cell thick, some colours are empty.
inline Ordering eight_colours(const Index<3>& extents) {
  Ordering colours;
  colours.begin.push_back(0);
  const auto rows = static_cast<std::int32_t>(product(extents));
  colours.order.reserve(static_cast<std::size_t>(rows));
  for (const int parity : parities) {
    for (int z = parity / 4; z < extents[2]; z += 2) {
      for (int y = parity / 2 % 2; y < extents[1]; y += 2) {
        const auto line = static_cast<std::int32_t>(position<3>({0, y, z}, extents));
        for (int x = parity % 2; x < extents[0]; x += 2) colours.order.push_back(line + x);
      }
    }
    colours.begin.push_back(static_cast<std::int64_t>(colours.order.size()));
  }
  return colours;
}

}  // namespace tenken::hpcg
