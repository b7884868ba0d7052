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

// The upwind step, and which parts of the corrections leave the mixing ratio within its neighbours.
template <Order order>
void Tracer<order>::upwind(double dt, const Flow& flow) {
  const double* const ratio = ratio_.data();
  double *const amount = amount_.data(), *const gain = gain_.data(), *const loss = loss_.data();
  const Shape<order> shape = shape_;
  const double per = dt / dz_;
  const auto prepare = [&](std::int64_t c) -> const Edges::OfCell& { return edges_.of(c); };
  over_all(shape, patch_.own, prepare, [=](const Edges::OfCell& edges, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k), above = shape.at(c, k + 1), below = shape.at(c, k - 1);
    const double mine = ratio[me], dense = flow.before[me];
    double change = 0, in = 0, out = 0, least = mine, most = mine;
    const auto face = [&](double flux, double theirs, double courant) {
      change += flux * (flux > 0 ? mine : theirs);
      const double more = correction(flux, courant, mine, theirs);
      out += std::max(0.0, more), in -= std::min(0.0, more);
    };
    const auto meet = [&](double theirs) { least = std::min(least, theirs), most = std::max(most, theirs); };
    TENKEN_UNROLL
    for (const Edges::Edge& e : edges) {
      const std::int64_t there = shape.at(e.across, k);
      const double flux = through(shape, flow, e, c, k, dt), theirs = ratio[there];
      face(flux, theirs, std::abs(flux) * e.distance * 2 / (dense + flow.before[there]));
      meet(theirs);
    }
    const bool has_above = k + 1 < shape.levels, has_below = k > 0;
    const double upper = has_above ? ratio[above] : mine, lower = has_below ? ratio[below] : mine;
    const double up = has_above ? per * flow.up[above] : 0.0, down = has_below ? -per * flow.up[me] : 0.0;
    face(up, upper, std::abs(up) * 2 / (dense + (has_above ? flow.before[above] : dense)));
    face(down, lower, std::abs(down) * 2 / (dense + (has_below ? flow.before[below] : dense)));
    meet(upper), meet(lower);
    const double next = amount[me] - change, after = flow.after[me];
    amount[me] = next;
    constexpr double tiny = 1e-300, rounded = 1 - 1e-14;  // so that rounding makes no new extreme
    gain[me] = rounded * std::max(0.0, std::min(1.0, (most * after - next) / (in + tiny)));
    loss[me] = rounded * std::max(0.0, std::min(1.0, (next - least * after) / (out + tiny)));
  });
}

template <Order order>
void Tracer<order>::correct(double dt, const Flow& flow) {
  const double *const ratio = ratio_.data(), *const gain = gain_.data(), *const loss = loss_.data();
  double* const amount = amount_.data();
  const Shape<order> shape = shape_;
  const double per = dt / dz_;
  const auto prepare = [&](std::int64_t c) -> const Edges::OfCell& { return edges_.of(c); };
  over_all(shape, patch_.own, prepare, [=](const Edges::OfCell& edges, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k), above = shape.at(c, k + 1), below = shape.at(c, k - 1);
    const double mine = ratio[me], dense = flow.before[me];
    double change = 0;
    const auto face = [&](double flux, std::int64_t there, double courant) {
      const double more = correction(flux, courant, mine, ratio[there]);
      change += more * (more > 0 ? std::min(loss[me], gain[there]) : std::min(gain[me], loss[there]));
    };
    TENKEN_UNROLL
    for (const Edges::Edge& e : edges) {
      const std::int64_t there = shape.at(e.across, k);
      const double flux = through(shape, flow, e, c, k, dt);
      face(flux, there, std::abs(flux) * e.distance * 2 / (dense + flow.before[there]));
    }
    const bool has_above = k + 1 < shape.levels, has_below = k > 0;
    const double up = has_above ? per * flow.up[above] : 0.0, down = has_below ? -per * flow.up[me] : 0.0;
    const std::int64_t upper = has_above ? above : me, lower = has_below ? below : me;
    face(up, upper, std::abs(up) * 2 / (dense + flow.before[upper]));
    face(down, lower, std::abs(down) * 2 / (dense + flow.before[lower]));
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
