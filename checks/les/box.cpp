#include "box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "base/error.hpp"

namespace les {

using tenken::Point;

Cells Box::nodes() const {
  Cells all = cells;
  for (std::size_t d = 0; d < 3; ++d) all[d] += periodic[d] ? 0 : 1;
  return all;
}

std::int64_t Box::node_number(const Cells& node) const {
  Cells at = node;
  for (std::size_t d = 0; d < 3; ++d) {
    if (periodic[d] && at[d] == cells[d]) at[d] = 0;
  }
  return tenken::position<3>(at, nodes());
}

Cells Box::node_of(const Cells& element, int a) const {
  return {element[0] + tenken::upper(a, 0), element[1] + tenken::upper(a, 1), element[2] + tenken::upper(a, 2)};
}

Point Box::place(const Cells& node) const {
  constexpr double turn = 2 * std::numbers::pi;
  Point share;  // of the side
  for (std::size_t d = 0; d < 3; ++d) {
    const double even = static_cast<double>(node[d]) / cells[d];
    share[d] =
        !periodic[d] && stretch > 0 ? 0.5 + 0.5 * std::tanh(stretch * (2 * even - 1)) / std::tanh(stretch) : even;
  }
  double wave = distortion;
  for (std::size_t d = 0; d < 3; ++d) wave *= std::sin(turn * share[d] + (periodic[d] ? 1 : 0));
  Point at;
  for (std::size_t d = 0; d < 3; ++d) at[d] = side[d] * (share[d] + (cells[d] > 1 ? wave : 0));
  return at;
}

tenken::Hexahedron Box::hexahedron(const Cells& element) const {
  tenken::Hexahedron all;
  for (int a = 0; a < tenken::corners; ++a) all[static_cast<std::size_t>(a)] = place(node_of(element, a));
  return all;
}

bool Box::on_wall(const Cells& node) const {
  for (std::size_t d = 0; d < 3; ++d) {
    if (!periodic[d] && (node[d] == 0 || node[d] == cells[d])) return true;
  }
  return false;
}

bool Box::element_at(const Cells& node, int a, Cells& element) const {
  for (std::size_t d = 0; d < 3; ++d) {
    int at = node[d] - tenken::upper(a, static_cast<int>(d));
    if (periodic[d]) at = (at + cells[d]) % cells[d];
    if (at < 0 || at >= cells[d]) return false;
    element[d] = at;
  }
  return true;
}

namespace {

// Halves the block between the ranks [0, left) and [left, ranks): where the second part begins, in which direction.
struct Cut {
  std::size_t direction;
  int at;
};
Cut cut_of(const Block& block, int left, int ranks) {
  const Cells extents = block.extents();
  const auto longest = static_cast<std::size_t>(std::max_element(extents.rbegin(), extents.rend()) - extents.rbegin());
  const std::size_t direction = 2 - longest;  // of equal directions the last, whose planes lie together in memory
  const int length = extents[direction];
  const auto share = static_cast<int>(std::lround(static_cast<double>(length) * left / ranks));
  return {direction, block.first[direction] + std::clamp(share, 1, std::max(1, length - 1))};
}

}  // namespace

Block block_of(const Box& box, int rank, int ranks) {
  Block block{{0, 0, 0}, box.cells};
  while (ranks > 1) {
    const int left = ranks / 2;
    const Cut cut = cut_of(block, left, ranks);
    if (cut.at >= block.last[cut.direction]) {
      tenken::refuse("--cells " + std::to_string(box.cells[0]) + "," + std::to_string(box.cells[1]) + "," +
                     std::to_string(box.cells[2]) +
                     " leaves a rank without elements; choose more cells or fewer ranks");
    }
    if (rank < left) {
      block.last[cut.direction] = cut.at;
      ranks = left;
    } else {
      block.first[cut.direction] = cut.at;
      rank -= left;
      ranks -= left;
    }
  }
  return block;
}

int owner_of(const Box& box, const Cells& element, int ranks) {
  Block block{{0, 0, 0}, box.cells};
  int first = 0;
  while (ranks > 1) {
    const int left = ranks / 2;
    const Cut cut = cut_of(block, left, ranks);
    if (element[cut.direction] < cut.at) {
      block.last[cut.direction] = cut.at;
      ranks = left;
    } else {
      block.first[cut.direction] = cut.at;
      first += left;
      ranks -= left;
    }
  }
  return first;
}

}  // namespace les
