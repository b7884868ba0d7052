// The contiguous parts of a rank's block in a NERSC configuration.
#pragma once

#include <algorithm>
#include <cstdint>

#include "qcd/gauge/nersc_header.hpp"
#include "qcd/geometry.hpp"

namespace tenken::qcd {

// Calls work(first local site, sites) for all parts of the block that are contiguous in the file, at most a few MiB
// each, in the order of the local sites.
template <class Work>
void for_each_piece(const Geometry& geometry, int link_bytes, Work work) {
  const Index4& extents = geometry.block.extents();
  std::int64_t run = extents[0];
  for (int d = 0; d + 1 < dimensions && extents[d] == geometry.block.lattice()[d]; ++d) run *= extents[d + 1];
  constexpr std::int64_t piece_bytes = 4 << 20;
  const std::int64_t most = std::max<std::int64_t>(1, piece_bytes / (directions * link_bytes));
  for (std::int64_t row = 0; row < geometry.sites; row += run) {
    for (std::int64_t at = row; at < row + run; at += most) {
      work(static_cast<int>(at), static_cast<int>(std::min(most, row + run - at)));
    }
  }
}

// Of a local site, in bytes.
inline std::int64_t place_in_file(const NerscHeader& header, const Geometry& geometry, int site) {
  return header.data_begin + geometry.global_position(site) * directions * header.form.link_bytes();
}

}  // namespace tenken::qcd
