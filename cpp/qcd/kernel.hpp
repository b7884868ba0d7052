// The arithmetic of the Wilson operator on one rank: no messages, no timing. A faster one replaces kernel.cpp.
#pragma once

#include "base/buffer.hpp"
#include "qcd/geometry.hpp"

namespace tenken::qcd {

using Field = Buffer<Spinor>;  // by local site
using Links = Buffer<Link>;    // by 4 x local site + mu

// The projectors of the two hops in y: as they should be, or swapped (the fault gamma_sign).
enum class Gamma { right, swapped };

using Outgoing = std::array<Half*, 8>;        // by 2 mu + side
using Incoming = std::array<const Half*, 8>;  // by hop: forward hops read the face of the upper neighbour

// Fills the faces of divided dimensions: (1 - gamma) psi at the lower side, U^dagger (1 + gamma) psi at the upper side.
void pack_faces(const Geometry& geometry, Gamma gamma, const Links& links, const Field& in, const Outgoing& faces);

// out = gamma_5 (in - kappa hops) at the given sites.
void apply_sites(const Geometry& geometry, Gamma gamma, const Links& links, double kappa,
                 const std::vector<std::int32_t>& sites, const Incoming& faces, Field& out, const Field& in);

}  // namespace tenken::qcd
