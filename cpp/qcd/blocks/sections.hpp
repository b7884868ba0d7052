// The sections of a domain-decomposed solve, and faults of tests and drills.
#pragma once

#include "base/table.hpp"

namespace tenken::qcd {

struct BlockSections {
  Group solver;  // one outer iteration, and in it
  Group sweep;   // the block solves of one colour, and in them
  Leaf hops;     // block operator
  Leaf inverse;  // clover inverse
  Leaf combine;  // vectors of a block
  Leaf faces;    // hops between blocks, but for messages
  Leaf send, recv, update, vectors, reduction;
};

struct BlockFaults {
  bool lost_face = false;     // block_halo: one face of a block does not reach its neighbour on the same rank
  bool wrong_colour = false;  // the first group of colour 0 is worked on in the turn of colour 1
  bool stale_send = false;    // faces of colour 0 are sent as they were before
};

}  // namespace tenken::qcd
