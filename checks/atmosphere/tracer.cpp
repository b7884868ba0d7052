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
      dz_(dz),
      amount_(shape),
      ratio_(shape),
      gain_(shape),
      loss_(shape),
      flux_halo_(comm, patch, 4, static_cast<int>(shape.levels), order),
      limit_halo_(comm, patch, 2, static_cast<int>(shape.levels), order) {}

namespace {

// Mass that leaves a cell through an edge in a step, per volume.
template <Order order, class Flow>
double through(const Shape<order>& shape, const Flow& flow, const Edges::Edge& e, std::int64_t me, std::int64_t k,
               double dt) {
  const std::int64_t a = shape.at(me, k), b = shape.at(e.before, k), c = shape.at(e.across, k),
                     d = shape.at(e.after, k);
  const auto mean = [&](const double* v) {
    return e.own * v[a] + e.of_across * v[c] + (e.of_before * v[b] + e.of_after * v[d]);
  };
  return dt * (e.outward.x * mean(flow.x) + e.outward.y * mean(flow.y) + e.outward.z * mean(flow.z));
}

// The flux of second order less the upwind flux: out of the cell.
double correction(double flux, double courant, double mine, double theirs) {
  return 0.5 * std::abs(flux) * (1 - std::min(1.0, courant)) * (theirs - mine);
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

namespace {

// face(flux, there, mass) for each face of a cell: what leaves through it, whose value is behind it, and the mass of
// both that the flux is compared with. Ground and lid: no flux, the cell itself.
template <Order order, class Flow, class Face>
void faces(const Shape<order>& shape, const Flow& flow, const Edges::OfCell& edges, std::int64_t c, std::int64_t k,
           double dt, double per, const Face& face) {
  const std::int64_t me = shape.at(c, k);
  TENKEN_UNROLL
  for (const Edges::Edge& e : edges) {
    const double flux = through(shape, flow, e, c, k, dt);
    face(flux, shape.at(e.across, k), std::abs(flux) * e.distance);
  }
  const std::int64_t above = k + 1 < shape.levels ? shape.at(c, k + 1) : me, below = k > 0 ? shape.at(c, k - 1) : me;
  const double up = k + 1 < shape.levels ? per * flow.up[above] : 0.0, down = k > 0 ? -per * flow.up[me] : 0.0;
  face(up, above, std::abs(up));
  face(down, below, std::abs(down));
}

}  // namespace

// The upwind step, and which parts of the corrections leave the mixing ratio within its neighbours.
template <Order order>
void Tracer<order>::upwind(double dt, const Flow& flow) {
  double *amount = amount_.data(), *ratio = ratio_.data(), *gain = gain_.data(), *loss = loss_.data();
  const auto prepare = [&](std::int64_t c) -> const Edges::OfCell& { return edges_.of(c); };
  over_all(shape_, patch_.own, prepare,
           [=, shape = shape_, per = dt / dz_](const Edges::OfCell& edges, std::int64_t c, std::int64_t k) {
             const std::int64_t me = shape.at(c, k);
             const double mine = ratio[me], dense = flow.before[me];
             double change = 0, in = 0, out = 0, least = mine, most = mine;
             faces(shape, flow, edges, c, k, dt, per, [&](double flux, std::int64_t there, double moved) {
               const double theirs = ratio[there];
               const double more = correction(flux, 2 * moved / (dense + flow.before[there]), mine, theirs);
               change += flux * (flux > 0 ? mine : theirs);
               out += std::max(0.0, more), in -= std::min(0.0, more);
               least = std::min(least, theirs), most = std::max(most, theirs);
             });
             const double next = amount[me] - change, after = flow.after[me];
             amount[me] = next;
             constexpr double tiny = 1e-300, rounded = 1 - 1e-14;  // so that rounding makes no new extreme
             gain[me] = rounded * std::max(0.0, std::min(1.0, (most * after - next) / (in + tiny)));
             loss[me] = rounded * std::max(0.0, std::min(1.0, (next - least * after) / (out + tiny)));
           });
}

template <Order order>
void Tracer<order>::correct(double dt, const Flow& flow) {
  double *amount = amount_.data(), *ratio = ratio_.data(), *gain = gain_.data(), *loss = loss_.data();
  const auto prepare = [&](std::int64_t c) -> const Edges::OfCell& { return edges_.of(c); };
  over_all(shape_, patch_.own, prepare,
           [=, shape = shape_, per = dt / dz_](const Edges::OfCell& edges, std::int64_t c, std::int64_t k) {
             const std::int64_t me = shape.at(c, k);
             double change = 0;
             faces(shape, flow, edges, c, k, dt, per, [&](double flux, std::int64_t there, double moved) {
               const double courant = 2 * moved / (flow.before[me] + flow.before[there]);
               const double more = correction(flux, courant, ratio[me], ratio[there]);
               change += more * (more > 0 ? std::min(loss[me], gain[there]) : std::min(gain[me], loss[there]));
             });
             amount[me] -= change;
           });
}

template <Order order>
void Tracer<order>::advance(double dt, const Flow& flow, StepWatch* watch) {
  {
    const InStep part(watch, Phase::tracer);
    ratios(flow);
  }
  double* const fluxes[] = {ratio_.data(), flow.x, flow.y, flow.z};
  flux_halo_.exchange(fluxes, watch);
  {
    const InStep part(watch, Phase::tracer);
    upwind(dt, flow);
  }
  double* const limits[] = {gain_.data(), loss_.data()};
  limit_halo_.exchange(limits, watch);
  const InStep part(watch, Phase::tracer);
  correct(dt, flow);
}

// Entered three times a step. An edge: three means of four 7 each, their sum 6, and 12 for the flux limited, in both
// passes. Fields read and written by the ratios 2 and 1, by the upwind step 8 and 3, by the correction 9 and 1.
template <Order order>
tenken::Work Tracer<order>::work() const {
  const std::int64_t values = patch_.own * shape_.levels;
  const std::int64_t coefficients = 2 * patch_.own * static_cast<std::int64_t>(sizeof(Edges::OfCell));
  return {.flop = (2 * (Grid::most * (27 + 12) + 2 * 14) + 12) * values / 3,
          .bytes_read = (19 * 8 * values + coefficients) / 3,
          .bytes_written = 5 * 8 * values / 3};
}

template class Tracer<Order::by_level>;
template class Tracer<Order::by_column>;

}  // namespace atmosphere
