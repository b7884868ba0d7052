// The kernels of dry_model.hpp: each is a loop over cells and levels.
#include <algorithm>

#include "dry_model.hpp"
#include "numerics/tridiagonal.hpp"

namespace atmosphere {

using tenken::Range;

namespace {

constexpr double ratio = pressure_of_energy;

Vec at(const double* x, const double* y, const double* z, std::int64_t i) { return {x[i], y[i], z[i]}; }
Vec tangent(const Vec& up, const Vec& v) { return v - up * dot(up, v); }

}  // namespace

// Of all items: 1 / density, enthalpy, vertical speed; before the first small step also the pressure of its start.
template <Order order>
void DryModel<order>::diagnose(Air<order>& of) {
  const double *density = of.density.data(), *energy = of.energy.data(), *lift = of.lift.data();
  double *inverse = inverse_.data(), *enthalpy = enthalpy_.data(), *speed = scratch_.data();
  double* const pressure = pressure_.data();
  const double* const start = begin_.energy.data();
  const Shape<order> shape = shape_;
  over_all(
      shape, patch_.items(), [](std::int64_t) { return 0; },
      [=](int, std::int64_t c, std::int64_t k) {
        const std::int64_t me = shape.at(c, k), below = shape.at(c, k - 1);
        const double per = 1 / density[me];
        inverse[me] = per;
        enthalpy[me] = (1 + ratio) * energy[me] * per;
        speed[me] = k > 0 ? 2 * lift[me] / (density[me] + density[below]) : 0.0;
        pressure[me] = ratio * start[me];
      });
}

// The brackets of the momentum equations, and dP/dz / R on lower faces.
template <Order order>
void DryModel<order>::large_step(Air<order>& of) {
  const double *density = of.density.data(), *energy = of.energy.data(), *lift = of.lift.data();
  const double *x = of.x.data(), *y = of.y.data(), *z = of.z.data();
  const double *inverse = inverse_.data(), *speed = scratch_.data(), *coriolis = coriolis_.data();
  double *slow_x = slow_.x.data(), *slow_y = slow_.y.data(), *slow_z = slow_.z.data(), *slow_lift = slow_.lift.data();
  double* const pull = pull_.data();
  const Shape<order> shape = shape_;
  const double per = 1 / dz_;
  struct Here {
    Stencil stencil;
    Vec up;
    double coriolis;
  };
  const auto prepare = [&](std::int64_t c) { return Here{operators_.stencil(c), operators_.up(c), coriolis[c]}; };
  over_all(shape, patch_.own, prepare, [=](const Here& here, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k), below = shape.at(c, k - 1), above = shape.at(c, k + 1);
    Vec carried{};
    double lifted = 0;
    TENKEN_UNROLL
    for (std::size_t p = 0; p < Operators::points; ++p) {
      const std::int64_t there = shape.at(here.stencil.item[p], k), lower = shape.at(here.stencil.item[p], k - 1);
      const Vec v = at(x, y, z, there);
      const double flux = dot(here.stencil.flux[p], v), flux_below = dot(here.stencil.flux[p], at(x, y, z, lower));
      carried += v * (flux * inverse[there]);
      lifted += 0.5 * (flux + flux_below) * speed[there];
    }
    const Vec v = at(x, y, z, me);
    const Vec mine = v * inverse[me];
    const Vec upper = (mine + at(x, y, z, above) * inverse[above]) * (k + 1 < shape.levels ? 0.5 * lift[above] : 0.0);
    const Vec under = (mine + at(x, y, z, below) * inverse[below]) * (k > 0 ? 0.5 * lift[me] : 0.0);
    const Vec all = carried + (upper - under) * per + cross(here.up, v) * here.coriolis;
    const Vec slow = tangent(here.up, all);
    slow_x[me] = -slow.x, slow_y[me] = -slow.y, slow_z[me] = -slow.z;
    const double middle = k + 1 < shape.levels ? lift[me] + lift[above] : lift[me];
    const double speed_above = k + 1 < shape.levels ? speed[above] : 0.0;
    const double rise =
        0.25 * (middle * (speed[me] + speed_above) - (lift[below] + lift[me]) * (speed[below] + speed[me]));
    slow_lift[me] = k > 0 ? -lifted - rise * per : 0.0;
    pull[me] = k > 0 ? 2 * ratio * (energy[me] - energy[below]) * per / (density[me] + density[below]) : 0.0;
  });
}

// Momentum by the slope of the pressure, and the work of that. last: sums the mass flux of the last stage, too.
template <Order order>
template <bool last>
void DryModel<order>::push(Air<order>& from, double share) {
  const double *x = from.x.data(), *y = from.y.data(), *z = from.z.data();
  double *to_x = now_.x.data(), *to_y = now_.y.data(), *to_z = now_.z.data();
  const double *slow_x = slow_.x.data(), *slow_y = slow_.y.data(), *slow_z = slow_.z.data();
  double *flux_x = flux_x_.data(), *flux_y = flux_y_.data(), *flux_z = flux_z_.data();
  const double *pressure = pressure_.data(), *inverse = inverse_.data();
  double* const gain = gain_.data();
  const Shape<order> shape = shape_;
  const double dtau = dtau_, before = &from == &begin_ ? 0 : 1;
  struct Here {
    Stencil stencil;
    Vec up;
  };
  const auto prepare = [&](std::int64_t c) { return Here{operators_.stencil(c), operators_.up(c)}; };
  over_all(shape, patch_.own, prepare, [=](const Here& here, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k);
    Vec slope{};
    TENKEN_UNROLL
    for (std::size_t p = 1; p < Operators::points; ++p) {
      slope += here.stencil.flux[p] * (pressure[shape.at(here.stencil.item[p], k)] - pressure[me]);
    }
    slope = tangent(here.up, slope);
    const Vec next = at(x, y, z, me) + (at(slow_x, slow_y, slow_z, me) - slope) * dtau;
    to_x[me] = next.x, to_y[me] = next.y, to_z[me] = next.z;
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
  const double *x = now_.x.data(), *y = now_.y.data(), *z = now_.z.data(), *enthalpy = enthalpy_.data();
  double *gain = gain_.data(), *thinner = scratch_.data();
  const Shape<order> shape = shape_;
  const double dtau = dtau_;
  const auto prepare = [&](std::int64_t c) { return operators_.stencil(c); };
  over_all(shape, patch_.own, prepare, [=](const Stencil& here, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k);
    double mass = 0, heat_flux = 0;
    TENKEN_UNROLL
    for (std::size_t p = 0; p < Operators::points; ++p) {
      const std::int64_t there = shape.at(here.item[p], k);
      const double flux = dot(here.flux[p], at(x, y, z, there));
      mass += flux;
      heat_flux += flux * enthalpy[there];
    }
    thinner[me] = -dtau * mass;
    gain[me] = dtau * (gain[me] - heat_flux);
  });
}

namespace {

constexpr std::int64_t together = 32;  // columns that are solved together

}  // namespace

// With u = dtau/dz h, c = dtau/2 (dP/dz / R), r = dtau/dz on faces: E' = E + gain + (u + c) W - (u - c) W above, R' =
// R + thinner + r (W - W above). These in the equation of W give a tridiagonal system for the faces between layers.
template <Order order>
void DryModel<order>::solve_block(Air<order>& from, double share, Range cells, double* scratch) {
  const double *density = from.density.data(), *energy = from.energy.data(), *lift = from.lift.data();
  double *to_density = now_.density.data(), *to_energy = now_.energy.data(), *to_lift = now_.lift.data();
  const double *gain = gain_.data(), *thinner = scratch_.data(), *slow_lift = slow_.lift.data();
  const double *enthalpy = enthalpy_.data(), *pull = pull_.data();
  double *pressure = pressure_.data(), *flux = flux_up_.data();
  const Shape<order> shape = shape_;
  const std::int64_t first = cells.first, rows = shape.levels;
  double *lower = scratch, *diagonal = lower + rows * together, *upper = diagonal + rows * together,
         *right = upper + rows * together;
  const double dtau = dtau_, ahead = numbers_.ahead, r = dtau / dz_, extrapolated = numbers_.damping;
  const double theta = dtau * ahead, of_energy = ratio / dz_, weight = 0.5 * earth_gravity;
  const double before = &from == &begin_ ? 0 : 1;
  const auto nothing = [](std::int64_t) { return 0; };
  over(shape, cells, nothing, [=](int, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k), below = shape.at(c, k - 1), above = shape.at(c, k + 1);
    const std::int64_t deeper = shape.at(c, k > 1 ? k - 2 : k - 1), to = k * together + c - first;
    const double u = 0.5 * r * (enthalpy[me] + enthalpy[below]);
    const double u_above = 0.5 * r * (enthalpy[me] + enthalpy[above]);
    const double u_below = 0.5 * r * (enthalpy[below] + enthalpy[deeper]);
    lower[to] = -theta * (of_energy * (u_below + 0.5 * dtau * pull[below]) - weight * r);
    diagonal[to] = 1 + theta * of_energy * 2 * u;
    upper[to] = -theta * (of_energy * (u_above - 0.5 * dtau * pull[above]) + weight * r);
    const double difference = energy[me] - energy[below] + ahead * (gain[me] - gain[below]);
    const double sum = density[me] + density[below] + ahead * (thinner[me] + thinner[below]);
    right[to] = lift[me] + dtau * (slow_lift[me] - of_energy * difference - weight * sum);
  });
  const tenken::Tridiagonal<double> system{together, rows - 1, lower + together, diagonal + together, upper + together};
  tenken::solve(Range{0, cells.size()}, system, right + together);
  for (std::int64_t s = 0; s < together; ++s) right[s] = right[rows * together + s] = 0;
  over(shape, cells, nothing, [=](int, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k), below = shape.at(c, k - 1), above = shape.at(c, k + 1);
    const std::int64_t of = k * together + c - first;
    const double w = right[of], w_above = right[of + together];
    const double u = 0.5 * r * (enthalpy[me] + enthalpy[below]), u_above = 0.5 * r * (enthalpy[me] + enthalpy[above]);
    const double old = energy[me];
    const double pulled = 0.5 * dtau * pull[me], pulled_above = k + 1 < rows ? 0.5 * dtau * pull[above] : 0.0;
    const double now = old + gain[me] + (u + pulled) * w - (u_above - pulled_above) * w_above;
    to_density[me] = density[me] + thinner[me] + r * (w - w_above);
    to_energy[me] = now;
    to_lift[me] = w;
    pressure[me] = ratio * (now + extrapolated * (now - old));
    flux[me] = before * flux[me] + share * w;
  });
}

template <Order order>
void DryModel<order>::solve_columns(Air<order>& from, double share) {
  const std::int64_t blocks = (patch_.own + together - 1) / together;
  tenken::share(blocks, [&](Range mine) {
    static thread_local std::vector<double> scratch;
    scratch.resize(static_cast<std::size_t>((4 * shape_.levels + 1) * together));
    for (std::int64_t block = mine.first; block < mine.last; ++block) {
      solve_block(from, share, {block * together, std::min(patch_.own, (block + 1) * together)}, scratch.data());
    }
  });
}

// into = Laplacian of `of`, or else into -= factor * Laplacian, of all six fields.
template <Order order>
template <bool add>
void DryModel<order>::laplacian(Air<order>& of, Air<order>& into, double factor) {
  const Shape<order> shape = shape_;
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
  const double *density = of.density.data(), *energy = of.energy.data(), *lift = of.lift.data();
  const double *x = of.x.data(), *y = of.y.data(), *z = of.z.data();
  double *to_density = into.density.data(), *to_energy = into.energy.data(), *to_lift = into.lift.data();
  double *to_x = into.x.data(), *to_y = into.y.data(), *to_z = into.z.data();
  over_all(shape, patch_.own, prepare, [=](const Here& here, std::int64_t c, std::int64_t k) {
    const std::int64_t me = shape.at(c, k);
    double dense = 0, warm = 0, lifted = 0;
    Vec moved{};
    TENKEN_UNROLL
    for (std::size_t p = 0; p < Operators::points; ++p) {
      const std::int64_t there = shape.at(here.item[p], k);
      const double spread = here.spread[p];
      dense += spread * density[there];
      warm += spread * energy[there];
      lifted += spread * lift[there];
      moved += at(x, y, z, there) * spread;
    }
    if constexpr (add) {
      to_density[me] -= factor * dense;
      to_energy[me] -= factor * warm;
      to_lift[me] -= factor * lifted;
      const Vec next = tangent(here.up, at(to_x, to_y, to_z, me) - moved * factor);
      to_x[me] = next.x, to_y[me] = next.y, to_z[me] = next.z;
    } else {
      to_density[me] = dense, to_energy[me] = warm, to_lift[me] = lifted;
      to_x[me] = moved.x, to_y[me] = moved.y, to_z[me] = moved.z;
    }
  });
}

#define ATMOSPHERE_STEPS(order)                                                     \
  template void DryModel<order>::diagnose(Air<order>&);                             \
  template void DryModel<order>::large_step(Air<order>&);                           \
  template void DryModel<order>::push<true>(Air<order>&, double);                   \
  template void DryModel<order>::push<false>(Air<order>&, double);                  \
  template void DryModel<order>::divergence();                                      \
  template void DryModel<order>::solve_columns(Air<order>&, double);                \
  template void DryModel<order>::laplacian<true>(Air<order>&, Air<order>&, double); \
  template void DryModel<order>::laplacian<false>(Air<order>&, Air<order>&, double);
ATMOSPHERE_STEPS(Order::by_level)
ATMOSPHERE_STEPS(Order::by_column)

}  // namespace atmosphere
