// The lattice of a rank cut into blocks of two colours, like a chessboard of the whole lattice, and the blocks put into
// vectors.
//
// Blocks of one colour are worked on in groups. The blocks of a group are stacked to a small lattice whose extents can
// be cut for lanes (lanes.hpp); links that leave a block are zero there, so that its blocks do not see each other. A
// block that can be cut by itself, such as 4,4,4,4, is a group alone. A group that is not full has empty blocks.
//
// A hop that leaves a block takes its neighbour, projected, from a ghost. `rim` lists the vectors that have such a hop.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "qcd/lanes/lanes.hpp"

namespace tenken::qcd {

constexpr int block_colours = 2;
constexpr int spinor_numbers = 24, half_numbers = 12;

// Blocks and their number in each dimension of a rank's lattice. Throws UserError, naming the extents that do, for
// blocks that do not divide the lattice of a rank, have odd extents, or are odd in number in a dimension of the whole
// lattice.
Index4 blocks_of_rank(const Geometry& geometry, const Index4& block);

class BlockLayout {
 public:
  // For vectors of `width` numbers. `single`, for tests: one block, the lattice of a single rank, which keeps its
  // periodic links.
  BlockLayout(const Geometry& geometry, const Index4& block, int width, bool single = false);
  BlockLayout(const BlockLayout&) = delete;
  BlockLayout& operator=(const BlockLayout&) = delete;

  const Geometry& geometry() const { return geometry_; }  // of the rank
  const Lanes& lanes() const { return *lanes_; }          // of one group
  const Index4& block() const { return block_; }
  int width() const { return lanes_->width; }
  int groups() const { return static_cast<int>(first_[block_colours]); }
  int first_group(int colour) const { return first_[static_cast<std::size_t>(colour)]; }
  int blocks_in_group() const { return static_cast<int>(product(stack_)); }
  int blocks(int colour) const { return blocks_[static_cast<std::size_t>(colour)]; }
  // Lattice sites of this rank with that colour of block.
  std::int64_t sites(int colour) const { return blocks(colour) * product(block_); }

  // Vectors of a group, of one parity.
  std::int32_t vectors() const { return lanes_->sites; }
  std::size_t all_vectors() const {
    return static_cast<std::size_t>(groups()) * parities * static_cast<std::size_t>(vectors());
  }
  std::size_t vector_at(int group, int parity, std::int32_t v) const {
    return (static_cast<std::size_t>(group) * parities + static_cast<std::size_t>(parity)) *
               static_cast<std::size_t>(vectors()) +
           static_cast<std::size_t>(v);
  }

  // Where a site of the rank is: its vector of all (vector_at) and its lane.
  struct Place {
    std::size_t vector;
    int lane;
  };
  const Place& place(std::int32_t site) const { return place_[static_cast<std::size_t>(site)]; }
  int group_of(std::int32_t site) const {
    return static_cast<int>(place(site).vector / (parities * static_cast<std::size_t>(vectors())));
  }
  int colour_of(std::int32_t site) const { return group_of(site) < first_group(1) ? 0 : 1; }
  // Whether the hop from this site leaves its block.
  bool leaves(std::int32_t site, int mu, Way way) const;
  // The block within its group that a lane belongs to.
  int block_of_lane(int lane) const { return block_of_lane_[static_cast<std::size_t>(lane)]; }

  // Vectors, of either parity, with a lane whose hop leaves its block: position in `rim` of each, or -1.
  const std::vector<std::int32_t>& rim(int parity, int hop) const {
    return rim_[static_cast<std::size_t>(parity)][static_cast<std::size_t>(hop)];
  }
  // Ghosts of a group come in the order parity, hop, position in the rim.
  std::size_t ghosts_of_group() const { return ghosts_; }
  std::size_t ghost_at(int group, int parity, int hop, std::size_t i) const {
    return static_cast<std::size_t>(group) * ghosts_ +
           rim_offset_[static_cast<std::size_t>(parity)][static_cast<std::size_t>(hop)] + i;
  }
  // Of the vector that has the hop of this site.
  std::size_t ghost_of(std::int32_t site, int hop) const;

 private:
  Geometry geometry_;
  bool single_;
  Index4 block_, stack_{1, 1, 1, 1};
  std::unique_ptr<Geometry> small_;
  std::unique_ptr<Lanes> lanes_;
  std::array<int, block_colours + 1> first_{};
  std::array<int, block_colours> blocks_{};
  std::vector<Place> place_;
  std::vector<int> block_of_lane_;
  std::array<std::array<std::vector<std::int32_t>, 8>, parities> rim_;
  std::array<std::array<std::vector<std::int32_t>, 8>, parities> in_rim_;
  std::array<std::array<std::size_t, 8>, parities> rim_offset_{};
  std::size_t ghosts_ = 0;
};

}  // namespace tenken::qcd
