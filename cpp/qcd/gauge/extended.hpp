// The links of a rank's block together with those one site around it, corners included: what plaquettes and staples
// need. Its exchange is another than the operator's, so that proofs built on it do not repeat the operator's mistakes.
#pragma once

#include <mpi.h>

#include "qcd/kernel.hpp"

namespace tenken::qcd {

class ExtendedLinks {
 public:
  // Copies `links`, of the block, and exchanges. The geometry stays with the caller. Collective.
  ExtendedLinks(MPI_Comm comm, const Geometry& geometry, const Links& links);

  // Of a site in coordinates of the block, each from -1 to the extent of the block.
  const Link& at(const Index4& x, int mu) const { return links_[index(x, mu)]; }
  Link& at(const Index4& x, int mu) { return links_[index(x, mu)]; }

  // Of a site in coordinates of the lattice, in the block or one step (diagonal ones included) away from it.
  const Link& around(const Index4& x, int mu) const;

  // Fetches all halo links, or those of direction mu at sites of one parity (0 even, 1 odd). Collective.
  void exchange();
  void exchange(int mu, int parity);

  void copy_to(Links& links) const;  // the block without its halo

  MPI_Comm comm() const { return comm_; }
  const Geometry& geometry() const { return geometry_; }

  // For work that goes from site to site in memory: the links of site x are the four from site(x) on, and a step in mu
  // moves by stride(mu) links.
  Link* site(const Index4& x) { return &links_[index(x, 0)]; }
  std::ptrdiff_t stride(int mu) const { return directions * strides_[mu]; }

  // Bytes for a block of these extents.
  static double bytes(const Index4& extents);

 private:
  // The sites of a layer that is sent or filled, even ones first.
  struct Layer {
    std::vector<std::int64_t> sites;
    std::size_t even = 0;
  };

  std::size_t index(const Index4& x, int mu) const {
    std::int64_t site = 0;
    for (int d = 0; d < dimensions; ++d) site += (x[d] + 1) * strides_[d];
    return static_cast<std::size_t>(directions * site + mu);
  }
  Layer layer(int dimension, int at) const;
  // Moves the links [first_mu, last_mu) of the sites [first, last) that `range` gives of a layer.
  template <class Range>
  void exchange(Range range, int first_mu, int last_mu);

  MPI_Comm comm_;
  const Geometry& geometry_;
  std::array<std::int64_t, dimensions> strides_;
  std::array<std::array<Layer, 2>, dimensions> sent_;    // by dimension and side
  std::array<std::array<Layer, 2>, dimensions> filled_;  // by dimension and side
  Links links_;
};

}  // namespace tenken::qcd
