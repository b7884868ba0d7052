// Fields of vectors: the block of a rank is cut into `width` equal sub-lattices, and lane l of a vector belongs to
// sub-lattice l, so that all lanes do the same work. At the rim of a sub-lattice the neighbour is the same vector
// position with its lanes swapped. Sites are kept by parity (x + y + z + t even or odd), x fastest. Fields that are
// worked on together are interleaved: vector v of field k of K is at v K + k, so that the links of a vector, once in a
// cache, serve all K.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "qcd/geometry.hpp"

namespace tenken::qcd {

constexpr int parities = 2;
constexpr int most_together = 12;  // fields, as a point source has spins and colours

// The most lanes, up to `most`, that the block of a rank can be cut for: each cut halves an extent that is a multiple
// of four. Throws UserError naming the dimension and sizes that work where an extent is odd.
int widest_lanes(const Geometry& geometry, int most);

struct Lanes {
  // For 1 to most_together fields. Throws as widest_lanes; `width` must not be wider than that.
  Lanes(const Geometry& geometry, int width, int together = 1);

  int width;
  int together;                    // fields interleaved, K
  Index4 split{1, 1, 1, 1};        // sub-lattices in each dimension, 1 or 2
  Index4 bit{};                    // lane bit that tells them apart; 0 where not split
  Index4 outer{};                  // extents of a sub-lattice
  std::int32_t sites = 0;          // vectors of one parity
  std::vector<std::int64_t> slot;  // by local site: vector x width + lane, within the field of its parity

  // By parity and vector: for each hop 2 K x vector + (1 when its lanes are swapped), or -1 - K x position in a face
  // whose neighbours are (at least in part) on another rank. Multiplied by K here, so that no hop has to.
  std::array<std::vector<std::array<std::int32_t, 8>>, parities> neighbours;
  std::array<std::vector<std::int32_t>, parities> interior;
  std::array<std::vector<std::int32_t>, parities> boundary;
  // Vectors at each face of divided dimensions, by parity and 2 mu + side; else empty. As many for either parity.
  std::array<std::array<std::vector<std::int32_t>, 8>, parities> face;

  // The fault lane_swap: neighbours over the rim of a sub-lattice stay in their lanes.
  void forget_swaps();

  // Lane bit of a dimension where the lanes are cut in x, y, ... as far as `width` asks; and whether they are.
  static constexpr int cut_in_order(int mu, int width) { return (1 << mu) < width ? 1 << mu : 0; }
  bool cut_in_order() const {
    for (int mu = 0; mu < directions; ++mu) {
      if (bit[mu] != cut_in_order(mu, width)) return false;
    }
    return true;
  }

  int parity(const Index4& local) const { return (local[0] + local[1] + local[2] + local[3]) & 1; }
  std::int32_t face_size(int mu) const { return static_cast<std::int32_t>(face[0][2 * mu].size()); }
  std::size_t field_size() const { return static_cast<std::size_t>(sites) * static_cast<std::size_t>(together); }
  // Lanes of a face vector that travel.
  int face_lanes(int mu) const { return split[mu] == 2 ? width / 2 : width; }
};

}  // namespace tenken::qcd
