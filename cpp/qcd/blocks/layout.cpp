#include "qcd/blocks/layout.hpp"

#include <string>

#include "base/error.hpp"

namespace tenken::qcd {

namespace {

std::string text_of(const Index4& index) {
  std::string text;
  for (const int n : index) text += (text.empty() ? "" : ",") + std::to_string(n);
  return text;
}

// Extents of blocks that are possible in dimension mu.
std::string possible(const Geometry& g, int mu) {
  std::string text;
  const int extent = g.block.extents()[mu];
  for (int b = 2; b <= extent; b += 2) {
    if (extent % b == 0 && g.block.lattice()[mu] / b % 2 == 0) text += (text.empty() ? "" : ", ") + std::to_string(b);
  }
  return text.empty() ? "none; change --lattice or --grid" : text;
}

}  // namespace

Index4 blocks_of_rank(const Geometry& geometry, const Index4& block) {
  Index4 count{};
  for (int mu = 0; mu < directions; ++mu) {
    const int extent = geometry.block.extents()[mu];
    const auto refuse_block = [&](const std::string& why) {
      refuse("--block " + text_of(block) + ": " + why + "; possible in " + "xyzt"[mu] + ": " + possible(geometry, mu));
    };
    const std::string of_rank = "the extent " + std::to_string(extent) + " of a rank's lattice in " + "xyzt"[mu];
    if (block[mu] > extent) refuse_block("larger than " + of_rank);
    if (block[mu] < 1 || extent % block[mu] != 0) refuse_block("does not divide " + of_rank);
    if (block[mu] % 2 != 0) refuse_block(std::string("odd in ") + "xyzt"[mu] + ", but blocks are solved even-odd");
    const int all = geometry.block.lattice()[mu] / block[mu];
    if (all % 2 != 0) {
      refuse_block("the whole lattice has " + std::to_string(all) + " block" + (all == 1 ? "" : "s") + " in " +
                   "xyzt"[mu] + ", but two colours need an even number");
    }
    count[mu] = extent / block[mu];
  }
  return count;
}

BlockLayout::BlockLayout(const Geometry& geometry, const Index4& block, int width, bool single)
    : geometry_(geometry), single_(single), block_(block), place_(static_cast<std::size_t>(geometry.sites)) {
  const Index4 count = single ? Index4{1, 1, 1, 1} : blocks_of_rank(geometry, block);
  // Blocks are stacked in the first dimensions that cannot be cut otherwise.
  int cuts = 1;
  for (int mu = 0; mu < directions && cuts < width; ++mu) {
    if (block[mu] % 4 != 0) stack_[mu] = 2;
    cuts *= 2;
  }
  Index4 extents = block;
  for (int mu = 0; mu < directions; ++mu) extents[mu] *= stack_[mu];
  small_ = std::make_unique<Geometry>(extents, Index4{1, 1, 1, 1}, 0);
  lanes_ = std::make_unique<Lanes>(*small_, width);

  // The blocks of each colour, in the order of their places.
  std::array<std::vector<Index4>, block_colours> blocks;
  const Index4 offset = geometry.block.offset();
  for (std::int64_t n = 0; n < product(count); ++n) {
    const Index4 at = coordinates(n, count);
    int colour = 0;
    for (int mu = 0; mu < directions; ++mu) colour += at[mu] + offset[mu] / block[mu];
    blocks[static_cast<std::size_t>(colour % 2)].push_back(at);
  }
  const int together = blocks_in_group();
  for (std::size_t colour = 0; colour < block_colours; ++colour) {
    blocks_[colour] = static_cast<int>(blocks[colour].size());
    first_[colour + 1] = first_[colour] + (blocks_[colour] + together - 1) / together;
    for (int k = 0; k < blocks_[colour]; ++k) {
      const Index4 slot = coordinates(k % together, stack_);
      const Index4& at = blocks[colour][static_cast<std::size_t>(k)];
      for (std::int64_t n = 0; n < product(block); ++n) {
        const Index4 inside = coordinates(n, block);
        Index4 x{}, y{};
        for (int mu = 0; mu < directions; ++mu) {
          x[mu] = at[mu] * block[mu] + inside[mu];    // of the rank
          y[mu] = slot[mu] * block[mu] + inside[mu];  // of the group
        }
        const std::int64_t in_group = lanes_->slot[static_cast<std::size_t>(position(y, extents))];
        place_[static_cast<std::size_t>(position(x, geometry.block.extents()))] = {
            vector_at(first_[colour] + k / together, lanes_->parity(y), static_cast<std::int32_t>(in_group / width)),
            static_cast<int>(in_group % width)};
      }
    }
  }

  block_of_lane_.resize(static_cast<std::size_t>(width));
  for (auto& of_parity : in_rim_) {
    for (auto& of_hop : of_parity) of_hop.assign(static_cast<std::size_t>(vectors()), -1);
  }
  for (std::int32_t site = 0; site < small_->sites; ++site) {
    const Index4 y = coordinates(site, extents);
    const std::int64_t in_group = lanes_->slot[static_cast<std::size_t>(site)];
    Index4 slot{};
    for (int mu = 0; mu < directions; ++mu) slot[mu] = y[mu] / block[mu];
    block_of_lane_[static_cast<std::size_t>(in_group % width)] = static_cast<int>(position(slot, stack_));
    for (int mu = 0; mu < directions; ++mu) {
      for (const Way way : {Way::forward, Way::backward}) {
        if (y[mu] % block[mu] != (way == Way::forward ? block[mu] - 1 : 0)) continue;
        const auto p = static_cast<std::size_t>(lanes_->parity(y)), h = static_cast<std::size_t>(hop(mu, way));
        std::int32_t& found = in_rim_[p][h][static_cast<std::size_t>(in_group / width)];
        if (found >= 0) continue;
        found = static_cast<std::int32_t>(rim_[p][h].size());
        rim_[p][h].push_back(static_cast<std::int32_t>(in_group / width));
      }
    }
  }
  for (std::size_t p = 0; p < parities; ++p) {
    for (std::size_t h = 0; h < 8; ++h) {
      rim_offset_[p][h] = ghosts_;
      ghosts_ += rim_[p][h].size();
    }
  }
}

bool BlockLayout::leaves(std::int32_t site, int mu, Way way) const {
  if (single_) return false;
  const int inside = coordinates(site, geometry_.block.extents())[mu] % block_[mu];
  return inside == (way == Way::forward ? block_[mu] - 1 : 0);
}

std::size_t BlockLayout::ghost_of(std::int32_t site, int hop) const {
  const std::size_t vector = place(site).vector;
  const auto v = vector % static_cast<std::size_t>(vectors());
  const auto p = vector / static_cast<std::size_t>(vectors()) % parities;
  return ghost_at(group_of(site), static_cast<int>(p), hop,
                  static_cast<std::size_t>(in_rim_[p][static_cast<std::size_t>(hop)][v]));
}

}  // namespace tenken::qcd
