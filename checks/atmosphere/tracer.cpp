#include "tracer.hpp"

#include <algorithm>
#include <cmath>

namespace atmosphere {

using tenken::Range;

template <Order order>
Tracer<order>::Tracer(MPI_Comm comm, const Patch& patch, const Edges& edges, const Shape<order>& shape, double dz)
    : patch_(patch),
      edges_(edges),
      shape_(shape),
      edge_shape_{edges.count(), shape.levels},
      dz_(dz),
      amount_(shape),
      ratio_(shape),
      gain_(shape),
      loss_(shape),
      moved_(edge_shape_),
      more_(edge_shape_),
      moved_up_(shape),
      more_up_(shape),
      flux_halo_(comm, patch, 4, static_cast<int>(shape.levels), order),
      limit_halo_(comm, patch, 2, static_cast<int>(shape.levels), order) {}

namespace {

struct Moved {
  double upwind, more;
};

// Amounts near the least numbers of double precision count as none: the rounding of their products would take a cell
// below 0, and products of such numbers are slow.
inline double kept(double amount) { return std::abs(amount) < 1e-290 ? 0.0 : amount; }

// A flux out of `from`, and its correction. `courant`: of the flux, times the mean density of both cells.
inline Moved moved(double flux, double courant, double from, double to, double dense_from, double dense_to) {
  const double share = std::min(1.0, 2 * courant / (dense_from + dense_to));
  return {flux * (flux > 0 ? from : to), 0.5 * std::abs(flux) * (1 - share) * (to - from)};
}

}  // namespace

template <Order order>
void Tracer<order>::ratios(const Flow& flow) {
  const double *amount = amount_.data(), *before = flow.before;
  double* ratio = ratio_.data();
  const Shape<order> shape = shape_;
  over_all(
      shape, patch_.own, [](std::int64_t) { return 0; },
      [=](int, std::int64_t c, std::int64_t k) {
        const std::int64_t at = shape.at(c, k);
        ratio[at] = amount[at] / before[at];
      });
}

template <Order order>
void Tracer<order>::fluxes(double dt, const Flow& flow) {
  const double* ratio = ratio_.data();
  double *into = moved_.data(), *more = more_.data();
  const auto edge = [&](std::int64_t e) -> const Edges::Edge& { return edges_.edge(e); };
  over_all(edge_shape_, edges_.count(), edge,
           [=, shape = shape_, edges = edge_shape_](const Edges::Edge& e, std::int64_t at, std::int64_t k) {
             const std::int64_t a = shape.at(e.before, k), b = shape.at(e.from, k), c = shape.at(e.to, k),
                                d = shape.at(e.after, k);
             const auto mean = [&](const double* v) {
               return e.of_from * v[b] + e.of_to * v[c] + (e.of_before * v[a] + e.of_after * v[d]);
             };
             const double flux =
                 dt * (e.outward.x * mean(flow.x) + e.outward.y * mean(flow.y) + e.outward.z * mean(flow.z));
             const Moved now =
                 moved(flux, std::abs(flux) * e.per_spread, ratio[b], ratio[c], flow.before[b], flow.before[c]);
             into[edges.at(at, k)] = now.upwind;
             more[edges.at(at, k)] = now.more;
           });
  into = moved_up_.data(), more = more_up_.data();
  over_all(
      shape_, patch_.own, [](std::int64_t) { return 0; },
      [=, shape = shape_, per = dt / dz_](int, std::int64_t c, std::int64_t k) {
        const std::int64_t me = shape.at(c, k), below = k > 0 ? shape.at(c, k - 1) : me;
        const double flux = k > 0 ? per * flow.up[me] : 0.0;  // none through the ground
        const Moved now = moved(flux, std::abs(flux), ratio[below], ratio[me], flow.before[below], flow.before[me]);
        into[me] = now.upwind;
        more[me] = now.more;
      });
}

// The upwind step, and which parts of the corrections leave the mixing ratio within its neighbours.
template <Order order>
void Tracer<order>::upwind(const Flow& flow) {
  double *amount = amount_.data(), *gain = gain_.data(), *loss = loss_.data();
  const double *ratio = ratio_.data(), *moved = moved_.data(), *more = more_.data(), *moved_up = moved_up_.data(),
               *more_up = more_up_.data(), *density = flow.after;
  const auto prepare = [&](std::int64_t c) -> const Edges::OfCell& { return edges_.of(c); };
  over_all(shape_, patch_.own, prepare,
           [=, shape = shape_, edges = edge_shape_](const Edges::OfCell& of, std::int64_t c, std::int64_t k) {
             const std::int64_t me = shape.at(c, k), above = shape.at(c, k + 1);  // no flux through the lid: 0 is there
             const double mine = ratio[me];
             double next = amount[me] - (moved_up[above] - moved_up[me]), in = 0, out = 0, least = mine, most = mine;
             const auto meet = [&](double theirs, double leaves) {
               out += std::max(0.0, leaves), in -= std::min(0.0, leaves);
               least = std::min(least, theirs), most = std::max(most, theirs);
             };
             TENKEN_UNROLL
             for (std::size_t i = 0; i < Grid::most; ++i) {
               const std::int64_t edge = edges.at(of.edge[i], k);
               next -= of.share[i] * moved[edge];
               meet(ratio[shape.at(of.across[i], k)], of.share[i] * more[edge]);
             }
             meet(ratio[k + 1 < shape.levels ? above : me], more_up[above]);
             meet(ratio[k > 0 ? shape.at(c, k - 1) : me], -more_up[me]);
             const double after = density[me];
             amount[me] = kept(next);
             constexpr double tiny = 1e-300, rounded = 1 - 1e-14;  // so that rounding makes no new extreme
             gain[me] = rounded * std::max(0.0, std::min(1.0, (most * after - next) / (in + tiny)));
             loss[me] = rounded * std::max(0.0, std::min(1.0, (next - least * after) / (out + tiny)));
           });
}

template <Order order>
void Tracer<order>::correct() {
  double* amount = amount_.data();
  const double *gain = gain_.data(), *loss = loss_.data(), *more = more_.data(), *more_up = more_up_.data();
  const auto prepare = [&](std::int64_t c) -> const Edges::OfCell& { return edges_.of(c); };
  over_all(shape_, patch_.own, prepare,
           [=, shape = shape_, edges = edge_shape_](const Edges::OfCell& of, std::int64_t c, std::int64_t k) {
             const std::int64_t me = shape.at(c, k);
             const double gained = gain[me], lost = loss[me];
             double change = 0;
             const auto meet = [&](double leaves, std::int64_t there) {
               change += leaves * (leaves > 0 ? std::min(lost, gain[there]) : std::min(gained, loss[there]));
             };
             TENKEN_UNROLL
             for (std::size_t i = 0; i < Grid::most; ++i) {
               meet(of.share[i] * more[edges.at(of.edge[i], k)], shape.at(of.across[i], k));
             }
             const std::int64_t above = shape.at(c, k + 1);
             meet(more_up[above], k + 1 < shape.levels ? above : me);
             meet(-more_up[me], k > 0 ? shape.at(c, k - 1) : me);
             amount[me] = kept(amount[me] - change);
           });
}

template <Order order>
void Tracer<order>::advance(double dt, const Flow& flow, StepWatch* watch) {
  {
    const InStep part(watch, Phase::tracer);
    ratios(flow);
  }
  double* const whole[] = {ratio_.data(), flow.x, flow.y, flow.z};
  flux_halo_.exchange(whole, watch);
  {
    const InStep part(watch, Phase::tracer);
    fluxes(dt, flow);
    upwind(flow);
  }
  double* const limits[] = {gain_.data(), loss_.data()};
  limit_halo_.exchange(limits, watch);
  const InStep part(watch, Phase::tracer);
  correct();
}

// An edge: three means of four 7 each, their sum 6, the flux and its correction 12; a lower face 11. The upwind step: 5
// an edge and face, 12 for the limits; the correction 4 an edge, 3 a face. Of a cell, read and written: by the ratios 2
// and 1, by the fluxes of edges 5 and 6 (3 edges a cell), of faces 3 and 2, by the upwind step 11 and 3, by the
// correction 7 and 1.
template <Order order>
tenken::Work Tracer<order>::work() const {
  const std::int64_t values = patch_.own * shape_.levels;
  return {.flop = ((39 * edges_.count()) * shape_.levels + (1 + 11 + 8 * 5 + 12 + 6 * 4 + 2 * 3) * values) / 3,
          .bytes_read = (28 * 8 * values + 2 * Edges::bytes_of_cell * patch_.own) / 3,
          .bytes_written = 13 * 8 * values / 3};
}

template class Tracer<Order::by_level>;
template class Tracer<Order::by_column>;

}  // namespace atmosphere
