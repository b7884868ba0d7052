#include "qcd/kernel.hpp"

namespace tenken::qcd {

namespace {

// The fault gamma_sign: which projector a hop in y uses.
template <int mu, Way way, bool swapped>
constexpr Way projector() {
  if (!swapped || mu != 1) return way;
  return way == Way::forward ? Way::backward : Way::forward;
}

// All that a hop reads.
struct Source {
  const Spinor* in;
  const Link* links;
  const Incoming& faces;  // received faces by hop
};

// U_mu(x) P psi(x + mu)
template <int mu, bool swapped>
Half forward(const Source& from, std::int32_t x, std::int32_t neighbour) {
  const Link& u = from.links[directions * x + mu];
  if (neighbour < 0) return u * from.faces[hop(mu, Way::forward)][-1 - neighbour];
  return u * project<mu, projector<mu, Way::forward, swapped>()>(from.in[neighbour]);
}

// U_mu(x - mu)^dagger P psi(x - mu)
template <int mu, bool swapped>
Half backward(const Source& from, std::int32_t neighbour) {
  if (neighbour < 0) return from.faces[hop(mu, Way::backward)][-1 - neighbour];
  return adjoint_times(from.links[directions * neighbour + mu],
                       project<mu, projector<mu, Way::backward, swapped>()>(from.in[neighbour]));
}

template <int mu, bool swapped>
void add_hops(Spinor& sum, const Source& from, std::int32_t x, const std::array<std::int32_t, 8>& neighbours) {
  accumulate<mu, projector<mu, Way::forward, swapped>()>(
      sum, forward<mu, swapped>(from, x, neighbours[hop(mu, Way::forward)]));
  accumulate<mu, projector<mu, Way::backward, swapped>()>(
      sum, backward<mu, swapped>(from, neighbours[hop(mu, Way::backward)]));
}

// The two faces in direction mu; called by all threads.
template <int mu, bool swapped>
void pack_direction(const Geometry& g, const Links& links, const Field& in, const Outgoing& faces) {
  if (!g.block.divided(mu)) return;
  const std::vector<std::int32_t>& first = g.face_at(mu, Side::lower);
  const std::vector<std::int32_t>& last = g.face_at(mu, Side::upper);
  Half* const down = faces[2 * mu + static_cast<int>(Side::lower)];
  Half* const up = faces[2 * mu + static_cast<int>(Side::upper)];
  const auto sites = static_cast<std::int32_t>(first.size());
#pragma omp for schedule(static) nowait
  for (std::int32_t i = 0; i < sites; ++i) {
    down[i] = project<mu, projector<mu, Way::forward, swapped>()>(in[first[i]]);
    const std::int32_t x = last[i];
    up[i] = adjoint_times(links[directions * x + mu], project<mu, projector<mu, Way::backward, swapped>()>(in[x]));
  }
}

template <bool swapped>
void pack_all(const Geometry& g, const Links& links, const Field& in, const Outgoing& faces) {
#pragma omp parallel
  {
    pack_direction<0, swapped>(g, links, in, faces);
    pack_direction<1, swapped>(g, links, in, faces);
    pack_direction<2, swapped>(g, links, in, faces);
    pack_direction<3, swapped>(g, links, in, faces);
  }
}

template <bool swapped>
void apply_all(const Geometry& g, double kappa, const std::vector<std::int32_t>& sites, const Source& from,
               Field& out) {
  const auto count = static_cast<std::int32_t>(sites.size());
#pragma omp parallel for schedule(static)
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t x = sites[i];
    const auto& neighbours = g.neighbours[x];
    Spinor sum{};
    add_hops<0, swapped>(sum, from, x, neighbours);
    add_hops<1, swapped>(sum, from, x, neighbours);
    add_hops<2, swapped>(sum, from, x, neighbours);
    add_hops<3, swapped>(sum, from, x, neighbours);
    out[x] = finish(from.in[x], sum, kappa);
  }
}

}  // namespace

void pack_faces(const Geometry& geometry, Gamma gamma, const Links& links, const Field& in, const Outgoing& faces) {
  gamma == Gamma::right ? pack_all<false>(geometry, links, in, faces) : pack_all<true>(geometry, links, in, faces);
}

void apply_sites(const Geometry& geometry, Gamma gamma, const Links& links, double kappa,
                 const std::vector<std::int32_t>& sites, const Incoming& faces, Field& out, const Field& in) {
  const Source from{in.data(), links.data(), faces};
  gamma == Gamma::right ? apply_all<false>(geometry, kappa, sites, from, out)
                        : apply_all<true>(geometry, kappa, sites, from, out);
}

}  // namespace tenken::qcd
