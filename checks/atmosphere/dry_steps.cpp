// The kernels of dry_model.hpp: each is a loop over cells and levels.
#include "dry_model.hpp"
#include "numerics/tridiagonal.hpp"

namespace atmosphere {

using tenken::Range;

namespace {

constexpr double ratio = pressure_of_energy;
constexpr std::int64_t together = 32;  // columns that are solved together

Vec tangent(const Vec& up, const Vec& v) { return v - up * dot(up, v); }
int nothing(std::int64_t) { return 0; }

}  // namespace

// Of all items: 1 / density, enthalpy, vertical speed, and the pressure of the start of the first small step.
template <Order order>
void DryModel<order>::diagnose(AirView of) {
  double *inverse = inverse_.data(), *enthalpy = enthalpy_.data(), *speed = scratch_.data();
  double *pressure = pressure_.data(), *start = begin_.view().energy;
  over_all(shape_, patch_.items(), nothing, [=, shape = shape_](int, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k), below = shape.at(c, k - 1);
    const double per = 1 / of.density[me];
    inverse[me] = per;
    enthalpy[me] = (1 + ratio) * of.energy[me] * per;
    speed[me] = k > 0 ? 2 * of.lift[me] / (of.density[me] + of.density[below]) : 0.0;
    pressure[me] = ratio * start[me];
  });
}

// The brackets of the momentum equations, and dP/dz / R on lower faces.
template <Order order>
void DryModel<order>::large_step(AirView of) {
  const double *inverse = inverse_.data(), *speed = scratch_.data();
  double* const pull = pull_.data();
  const AirView slow = slow_.view();
  const double per = 1 / dz_;
  const auto prepare = [&](std::int64_t c) { return operators_.stencil(c); };
  over_all(shape_, patch_.own, prepare,
           [=, shape = shape_, twice = 2 * rotation_](const Stencil& here, std::int64_t c, std::int64_t k) {
             const std::int64_t me = shape.at(c, k), below = shape.at(c, k - 1), above = shape.at(c, k + 1);
             Vec carried{};
             double lifted = 0;
             TENKEN_UNROLL
             for (std::size_t p = 0; p < Operators::points; ++p) {
               const std::int64_t there = shape.at(here.item[p], k), lower = shape.at(here.item[p], k - 1);
               const Vec v = of.momentum(there);
               const double flux = dot(here.flux[p], v);
               carried += v * (flux * inverse[there]);
               lifted += 0.5 * (flux + dot(here.flux[p], of.momentum(lower))) * speed[there];
             }
             const Vec v = of.momentum(me);
             const Vec mine = v * inverse[me];
             const double lift_above = k + 1 < shape.levels ? of.lift[above] : 0.0, lift = k > 0 ? of.lift[me] : 0.0;
             const double speed_above = k + 1 < shape.levels ? speed[above] : 0.0;
             const Vec upper = (mine + of.momentum(above) * inverse[above]) * (0.5 * lift_above);
             const Vec under = (mine + of.momentum(below) * inverse[below]) * (0.5 * lift);
             const Vec all = carried + (upper - under) * per + cross(here.up, v) * (twice * here.up.z);
             slow.set_momentum(me, tangent(here.up, all) * -1);
             const double rise =
                 (lift + lift_above) * (speed[me] + speed_above) - (of.lift[below] + lift) * (speed[below] + speed[me]);
             slow.lift[me] = k > 0 ? -lifted - 0.25 * rise * per : 0.0;
             pull[me] =
                 k > 0 ? 2 * ratio * (of.energy[me] - of.energy[below]) * per / (of.density[me] + of.density[below])
                       : 0.0;
           });
}

// Momentum by the slope of the pressure, and the work of that. last: sums the mass flux of the last stage, too.
template <Order order>
template <bool last>
void DryModel<order>::push(bool first, double share) {
  const AirView from = first ? begin_.view() : now_.view(), to = now_.view(), slow = slow_.view();
  double *flux_x = flux_x_.data(), *flux_y = flux_y_.data(), *flux_z = flux_z_.data();
  const double *pressure = pressure_.data(), *inverse = inverse_.data();
  double* const gain = gain_.data();
  const double dtau = dtau_, before = first ? 0 : 1;
  const auto prepare = [&](std::int64_t c) { return operators_.stencil(c); };
  over_all(shape_, patch_.own, prepare, [=, shape = shape_](const Stencil& here, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k);
    Vec slope{};
    TENKEN_UNROLL
    for (std::size_t p = 1; p < Operators::points; ++p) {
      slope += here.flux[p] * (pressure[shape.at(here.item[p], k)] - pressure[me]);
    }
    slope = tangent(here.up, slope);
    const Vec next = from.momentum(me) + (slow.momentum(me) - slope) * dtau;
    to.set_momentum(me, next);
    gain[me] = dot(next, slope) * inverse[me];
    if constexpr (last) {
      flux_x[me] = before * flux_x[me] + share * next.x;
      flux_y[me] = before * flux_y[me] + share * next.y;
      flux_z[me] = before * flux_z[me] + share * next.z;
    }
  });
}

// What the horizontal flow changes in a small step: density into scratch_, energy into gain_.
template <Order order>
void DryModel<order>::divergence() {
  const AirView now = now_.view();
  double *gain = gain_.data(), *thinner = scratch_.data(), *enthalpy = enthalpy_.data();
  const auto prepare = [&](std::int64_t c) { return operators_.stencil(c); };
  over_all(shape_, patch_.own, prepare,
           [=, shape = shape_, dtau = dtau_](const Stencil& here, std::int64_t c, std::int64_t k) {
             const std::int64_t me = shape.at(c, k);
             double mass = 0, heat_flux = 0;
             TENKEN_UNROLL
             for (std::size_t p = 0; p < Operators::points; ++p) {
               const std::int64_t there = shape.at(here.item[p], k);
               const double flux = dot(here.flux[p], now.momentum(there));
               mass += flux;
               heat_flux += flux * enthalpy[there];
             }
             thinner[me] = -dtau * mass;
             gain[me] = dtau * (gain[me] - heat_flux);
           });
}

// With u = dtau/dz h, c = dtau/2 (dP/dz / R), r = dtau/dz on faces: E' = E + gain + (u + c) W - (u - c) W above, R' =
// R + thinner + r (W - W above). These in the equation of W give a tridiagonal system for the faces between layers.
template <Order order>
void DryModel<order>::solve_block(bool from_start, double share, Range cells, double* scratch) {
  const AirView from = from_start ? begin_.view() : now_.view(), to = now_.view();
  const double *gain = gain_.data(), *thinner = scratch_.data(), *slow_lift = slow_.view().lift;
  const double *enthalpy = enthalpy_.data(), *pull = pull_.data();
  double *pressure = pressure_.data(), *flux = flux_up_.data();
  const Shape<order> shape = shape_;
  const std::int64_t first = cells.first, rows = shape.levels;
  double *lower = scratch, *diagonal = lower + rows * together, *upper = diagonal + rows * together,
         *right = upper + rows * together;
  const double dtau = dtau_, ahead = numbers_.ahead, r = dtau / dz_, extrapolated = numbers_.damping;
  const double theta = dtau * ahead, of_energy = ratio / dz_, weight = 0.5 * earth_gravity;
  const double before = from_start ? 0 : 1;
  over(shape, cells, nothing, [=](int, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k), below = shape.at(c, k - 1), above = shape.at(c, k + 1);
    const std::int64_t deeper = shape.at(c, k > 1 ? k - 2 : k - 1), row = k * together + c - first;
    const double u = 0.5 * r * (enthalpy[me] + enthalpy[below]);
    const double u_above = 0.5 * r * (enthalpy[me] + enthalpy[above]);
    const double u_below = 0.5 * r * (enthalpy[below] + enthalpy[deeper]);
    lower[row] = -theta * (of_energy * (u_below + 0.5 * dtau * pull[below]) - weight * r);
    diagonal[row] = 1 + theta * of_energy * 2 * u;
    upper[row] = -theta * (of_energy * (u_above - 0.5 * dtau * pull[above]) + weight * r);
    const double difference = from.energy[me] - from.energy[below] + ahead * (gain[me] - gain[below]);
    const double sum = from.density[me] + from.density[below] + ahead * (thinner[me] + thinner[below]);
    right[row] = from.lift[me] + dtau * (slow_lift[me] - of_energy * difference - weight * sum);
  });
  const tenken::Tridiagonal<double> system{together, rows - 1, lower + together, diagonal + together, upper + together};
  tenken::solve(Range{0, cells.size()}, system, right + together);
  for (std::int64_t s = 0; s < together; ++s) right[s] = right[rows * together + s] = 0;  // ground and lid
  over(shape, cells, nothing, [=](int, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k), below = shape.at(c, k - 1), above = shape.at(c, k + 1);
    const std::int64_t row = k * together + c - first;
    const double w = right[row], w_above = right[row + together], old = from.energy[me];
    const double u = 0.5 * r * (enthalpy[me] + enthalpy[below]), u_above = 0.5 * r * (enthalpy[me] + enthalpy[above]);
    const double pulled = 0.5 * dtau * pull[me], pulled_above = k + 1 < rows ? 0.5 * dtau * pull[above] : 0.0;
    const double now = old + gain[me] + (u + pulled) * w - (u_above - pulled_above) * w_above;
    to.density[me] = from.density[me] + thinner[me] + r * (w - w_above);
    to.energy[me] = now;
    to.lift[me] = w;
    pressure[me] = ratio * (now + extrapolated * (now - old));
    flux[me] = before * flux[me] + share * w;
  });
}

template <Order order>
void DryModel<order>::solve_columns(bool first, double share) {
  const std::int64_t blocks = (patch_.own + together - 1) / together;
  tenken::share(blocks, [&](Range mine) {
    static thread_local std::vector<double> scratch;
    scratch.resize(static_cast<std::size_t>((4 * shape_.levels + 1) * together));
    for (std::int64_t block = mine.first; block < mine.last; ++block) {
      solve_block(first, share, {block * together, std::min(patch_.own, (block + 1) * together)}, scratch.data());
    }
  });
}

// into = Laplacian of `of`, or with `add` into -= factor * Laplacian, of all six fields.
template <Order order>
template <bool add>
void DryModel<order>::laplacian(AirView of, AirView into, double factor) {
  struct Here {
    std::array<std::int64_t, Operators::points> item;
    std::array<double, Operators::points> spread;
    Vec up;
  };
  const auto prepare = [&](std::int64_t c) {
    Here here;
    for (int p = 0; p < Operators::points; ++p) {
      here.item[static_cast<std::size_t>(p)] = operators_.item(p, c);
      here.spread[static_cast<std::size_t>(p)] = operators_.spread(p, c);
    }
    here.up = operators_.up(c);
    return here;
  };
  over_all(shape_, patch_.own, prepare, [=, shape = shape_](const Here& here, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k);
    double density = 0, energy = 0, lift = 0;
    Vec momentum{};
    TENKEN_UNROLL
    for (std::size_t p = 0; p < Operators::points; ++p) {
      const std::int64_t there = shape.at(here.item[p], k);
      density += here.spread[p] * of.density[there];
      energy += here.spread[p] * of.energy[there];
      lift += here.spread[p] * of.lift[there];
      momentum += of.momentum(there) * here.spread[p];
    }
    if constexpr (add) {
      into.density[me] -= factor * density, into.energy[me] -= factor * energy, into.lift[me] -= factor * lift;
      into.set_momentum(me, tangent(here.up, into.momentum(me) - momentum * factor));
    } else {
      into.density[me] = density, into.energy[me] = energy, into.lift[me] = lift;
      into.set_momentum(me, momentum);
    }
  });
}

#define ATMOSPHERE_STEPS(order)                                             \
  template void DryModel<order>::diagnose(AirView);                         \
  template void DryModel<order>::large_step(AirView);                       \
  template void DryModel<order>::push<true>(bool, double);                  \
  template void DryModel<order>::push<false>(bool, double);                 \
  template void DryModel<order>::divergence();                              \
  template void DryModel<order>::solve_columns(bool, double);               \
  template void DryModel<order>::laplacian<true>(AirView, AirView, double); \
  template void DryModel<order>::laplacian<false>(AirView, AirView, double);
ATMOSPHERE_STEPS(Order::by_level)
ATMOSPHERE_STEPS(Order::by_column)

}  // namespace atmosphere
