// The block of one rank as the operator sees it: local sites in the order "x fastest", their neighbours and faces.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parallel/decomposition.hpp"
#include "qcd/algebra.hpp"

namespace tenken::qcd {

// Index of a hop in tables of eight.
constexpr int hop(int mu, Way way) { return 2 * mu + static_cast<int>(way); }

struct Geometry {
  // Throws UserError when an extent of the lattice is below 2 (a site would be its own neighbour).
  Geometry(const Index4& lattice, const Index4& grid, int rank);

  Decomposition block;
  int sites;  // local

  // Local site reached by each hop, or -1 - p for position p of the face that the neighbour rank sends.
  std::vector<std::array<std::int32_t, 8>> neighbours;
  std::vector<std::int32_t> interior;  // sites without a neighbour on another rank
  std::vector<std::int32_t> boundary;  // the others
  // Sites of each face in divided dimensions, in the order of their positions; else empty.
  std::array<std::vector<std::int32_t>, 8> face;

  bool divided() const { return !boundary.empty(); }
  const std::vector<std::int32_t>& face_at(int mu, Side side) const { return face[2 * mu + static_cast<int>(side)]; }

  Index4 global(int site) const;                 // lattice coordinates
  std::int64_t global_position(int site) const;  // in the whole lattice, x fastest
  std::int64_t position_of(const Index4& x) const { return position(x, block.lattice()); }
  int local(const Index4& x) const;  // of a lattice site, or -1 when another rank has it
};

// x one step on the periodic lattice.
Index4 moved(const Index4& lattice, Index4 x, int mu, int step);

}  // namespace tenken::qcd
