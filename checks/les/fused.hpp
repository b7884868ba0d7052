// L p = D M^-1 D^T p in one pass over the elements: the integrals of an element are read once from memory, and again
// from a cache when its nodes are complete.
//
// A thread has a run of blocks of elements, which it adds to nodes one after the other: elements of a block have their
// corner a at different nodes, so that no colours are needed. A block's divergence follows as soon as no later block
// adds to its nodes. Nodes that threads or ranks share come first: blocks at them add to places of their thread, these
// are summed in the order of threads, then over ranks, and then the pass over all other blocks begins.
#pragma once

#include <cstdint>
#include <vector>

#include "elements.hpp"

namespace les {

template <class Real>
class Fused {
 public:
  // For as many threads as a parallel region here has. `elements` must outlive it.
  Fused(const Mesh& mesh, const Elements<Real>& elements);

  // Length of arrays of nodes: those of the mesh, and places of threads.
  std::int64_t length() const { return length_; }

  // g of nodes that threads or ranks share; sums over ranks are to follow. Nothing else of g is complete.
  void begin(const Real* p, const Three<Real>& g);
  // The rest of g, and d = D (scale g), scale by node.
  void finish(const Real* p, const Real* scale, const Three<Real>& g, Real* d);

  // Of all blocks, those at shared nodes, whose integrals are read twice.
  double twice_share() const;

 private:
  static constexpr int lanes = Elements<Real>::lanes;

  void add(std::int64_t block, const std::int32_t* node, const std::uint8_t* run, const Real* p, const Three<Real>& g);

  struct Sum {
    std::int32_t node;
    std::int64_t first, last;  // in places_
  };

  const Elements<Real>& elements_;
  int threads_;
  std::int64_t nodes_, length_;
  std::vector<std::int32_t> early_;  // of each block: its index among those at shared nodes, -1: none
  std::vector<std::int32_t> node_;   // [early block][corner][lane]: nodes, or places of this thread
  std::vector<std::uint8_t> run_;    // [early block][corner]
  std::vector<Sum> sums_;            // of shared nodes
  std::vector<std::int32_t> places_;
  std::vector<std::int64_t> ready_;  // after this block the nodes of a block are complete; -1: from the start
};

}  // namespace les
