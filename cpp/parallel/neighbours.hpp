// Who exchanges what with whom, as lists of items (cells, nodes, rows): what Exchange is built from.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "parallel/partition.hpp"

namespace tenken {

// The n-th item that one side sends becomes the n-th that the other receives.
struct Neighbour {
  int rank;
  std::vector<std::int32_t> send;
  std::vector<std::int32_t> receive;
};

struct Lists {
  std::int64_t items = 0;  // of a field on this rank, received ones included
  std::vector<Neighbour> neighbours;
  // Copies inside this rank, where a periodic dimension has one rank only: item wrap_from[n] to wrap_to[n].
  std::vector<std::int32_t> wrap_from;
  std::vector<std::int32_t> wrap_to;
};

// Collective. Throws the same UserError on every rank where a neighbour does not exist, is named twice or is the rank
// itself, where an item does not exist, or where one rank sends another number of items than the other expects.
void require_valid(MPI_Comm comm, const Lists& lists);

// Which cells outside of a block are exchanged: those across its faces, or also those across edges and corners.
enum class Reach { faces, corners };

// Halo of the given width around a block whose items are stored x fastest with `width` more on both sides of every
// dimension, divided or not. Beyond an end that is not periodic nothing is received. Throws UserError where a block is
// thinner than the halo.
template <std::size_t n>
Lists halo_lists(const Partition<n>& block, int width, Reach reach);

// Extents of that storage, and the item of a cell whose coordinates count from the block's first cell (-width at
// least).
template <std::size_t n>
Index<n> padded_extents(const Partition<n>& block, int width);
template <std::size_t n>
std::int64_t padded_item(const Partition<n>& block, int width, const Index<n>& cell);

// Nodes that blocks of elements share, stored x fastest, one more than elements in each dimension: for sums of what
// each block contributes to them. Both lists of a neighbour are the same. Throws UserError where a dimension is
// periodic.
template <std::size_t n>
Lists shared_node_lists(const Partition<n>& elements);

}  // namespace tenken
