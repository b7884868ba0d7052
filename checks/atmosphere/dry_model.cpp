#include "dry_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace atmosphere {

template <Order order>
DryModel<order>::DryModel(MPI_Comm comm, const Patch& patch, const Operators& operators, const Edges& edges,
                          const DryCase& of, const DryNumbers& numbers)
    : patch_(patch),
      operators_(operators),
      numbers_(numbers),
      shape_{patch.items(), numbers.levels},
      dz_(of.top() / numbers.levels),
      dtau_(numbers.dt / numbers.small_steps),
      rotation_(of.rotation()),
      tracer_(comm, patch, edges, shape_, dz_),
      momentum_halo_(comm, patch, 3, numbers.levels, order),
      pressure_halo_(comm, patch, 1, numbers.levels, order),
      column_halo_(comm, patch, 3, numbers.levels, order),
      state_halo_(comm, patch, 6, numbers.levels, order) {}

// Pressure by the model's own balance from the lowest layer up: (P - P below) / dz = -g (R + R below) / 2.
template <Order order>
void DryModel<order>::start(const Grid& grid, const DryCase& of) {
  const AirView air = begin_.view();
  const double fall = 0.5 * earth_gravity * dz_ / gas_constant;
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < patch_.items(); ++item) {
    const Vec at = grid.centre[static_cast<std::size_t>(patch_.cells[static_cast<std::size_t>(item)])];
    const auto height = [&](std::int64_t k) { return (static_cast<double>(k) + 0.5) * dz_; };
    const auto part = [&](std::int64_t k) { return fall / of.temperature(at, height(k)); };
    const auto put = [&](std::int64_t k, double pressure) {
      const double z = height(k);
      const double density = pressure / (gas_constant * (of.temperature(at, z) + of.warmer(at, z)));
      const std::int64_t to = shape_.at(item, k);
      air.density[to] = density, air.energy[to] = pressure / pressure_of_energy, air.lift[to] = 0;
      air.set_momentum(to, of.velocity(at, z) * density);
      tracer_.amount()[to] = density * of.tracer(at, z);
    };
    double pressure = of.pressure(at, height(0));
    put(0, pressure);
    for (std::int64_t k = 1; k < shape_.levels; ++k) put(k, pressure *= (1 - part(k - 1)) / (1 + part(k)));
  }
  steps_ = 0;
}

template <Order order>
void DryModel<order>::disturb() {
  const AirView air = begin_.view();
  for (std::int64_t item = 0; item < patch_.items(); ++item) {
    const auto cell = static_cast<std::uint64_t>(patch_.cells[static_cast<std::size_t>(item)]);
    const auto noise = [&](std::uint64_t axis) {
      return static_cast<double>(tenken::mix64(3 * cell + axis) >> 11) * 0x1p-52 - 1;
    };
    const Vec blow{noise(0), noise(1), noise(2)};
    for (std::int64_t k = 0; k < shape_.levels; ++k) {
      const std::int64_t to = shape_.at(item, k);
      air.set_momentum(to, air.momentum(to) + blow * air.density[to]);
    }
  }
}

template <Order order>
void DryModel<order>::leave_out_halos(bool stale) {
  for (Halo* halo : {&momentum_halo_, &pressure_halo_, &column_halo_, &state_halo_}) halo->leave_out(stale);
  tracer_.leave_out_halos(stale);
}

template <Order order>
void DryModel<order>::exchange(Halo& halo, std::initializer_list<double*> fields) {
  halo.exchange(std::span<double* const>(fields.begin(), fields.size()), watch_);
  messages_ += halo.messages();
}

// From begin_ to now_ in so many small steps, by the slow terms of `of`.
template <Order order>
void DryModel<order>::stage(AirView of, int small_steps) {
  {
    const InStep part(watch_, Phase::large_step);
    diagnose(of);
    large_step(of);
  }
  const bool last = small_steps == numbers_.small_steps;
  const double share = 1.0 / small_steps;
  const AirView now = now_.view();
  for (int i = 0; i < small_steps; ++i) {
    {
      const InStep part(watch_, Phase::small_step);
      if (last) {
        push<true>(i == 0, share);
      } else {
        push<false>(i == 0, share);
      }
    }
    exchange(momentum_halo_, {now.x, now.y, now.z});
    {
      const InStep part(watch_, Phase::small_step);
      divergence();
    }
    {
      const InStep part(watch_, Phase::vertical_solve);
      solve_columns(i == 0, share);
    }
    if (i + 1 < small_steps) {
      exchange(pressure_halo_, {pressure_.data()});
    } else {
      exchange(column_halo_, {now.density, now.energy, now.lift});
    }
  }
}

template <Order order>
void DryModel<order>::step() {
  const InStep whole(watch_, Phase::step);
  messages_ = tracer_.messages();
  stage(begin_.view(), numbers_.small_steps / 3);
  stage(now_.view(), numbers_.small_steps / 2);
  stage(now_.view(), numbers_.small_steps);
  tracer_.advance(
      numbers_.dt,
      {flux_x_.data(), flux_y_.data(), flux_z_.data(), flux_up_.data(), begin_.view().density, now_.view().density},
      watch_);
  if (numbers_.diffusion > 0) filter();
  std::swap(begin_, now_);
  ++steps_;
}

// Two Laplacians with an exchange between: all fields lose their shortest waves, mass and balance stay.
template <Order order>
void DryModel<order>::filter() {
  const AirView now = now_.view(), once = slow_.view();
  {
    const InStep part(watch_, Phase::filter);
    laplacian<false>(now, once, 0);
  }
  exchange(state_halo_, {once.density, once.energy, once.lift, once.x, once.y, once.z});
  {
    const InStep part(watch_, Phase::filter);
    laplacian<true>(once, now, numbers_.dt * numbers_.diffusion);
  }
  exchange(state_halo_, {now.density, now.energy, now.lift, now.x, now.y, now.z});
}

// Half a layer below the middle of the lowest.
template <Order order>
double DryModel<order>::surface_pressure(std::int64_t item) const {
  const std::int64_t at = shape_.at(item, 0);
  return pressure_of_energy * state().energy[at] + 0.5 * dz_ * earth_gravity * state().density[at];
}

template <Order order>
DryTotals DryModel<order>::totals() const {
  const AirView air = state();
  DryTotals sum;
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    DryTotals column;
    double outflow = 0;
    for (int p = 0; p < Operators::points; ++p) {
      outflow += dot(operators_.flux(p, c), air.momentum(shape_.at(operators_.item(p, c), 0)));
    }
    for (std::int64_t k = 0; k < shape_.levels; ++k) {
      const std::int64_t at = shape_.at(c, k);
      const double density = air.density[at], amount = tracer_.amount()[at];
      const Vec v = air.momentum(at);
      column.mass += density;
      column.tracer += amount;
      column.kinetic += 0.5 * dot(v, v) / density;
      column.energy += air.energy[at] + earth_gravity * (static_cast<double>(k) + 0.5) * dz_ * density;
      for (const double one : {v.x, v.y, v.z, air.lift[at]}) {
        if (!(std::abs(one / density) <= sum.fastest)) sum.fastest = std::abs(one / density);  // a NaN, too
      }
      if (!(amount / density >= sum.least_tracer)) sum.least_tracer = amount / density;
    }
    const double area = operators_.area(c), volume = area * dz_;
    sum.mass += volume * column.mass;
    sum.tracer += volume * column.tracer;
    sum.kinetic += volume * column.kinetic;
    sum.energy += volume * (column.energy + column.kinetic);
    sum.divergence2 += area * outflow * outflow;
  }
  return sum;
}

// Compulsory bytes: every field once, coefficients of a cell once for all levels. large_step: diagnosis and brackets;
// small_step is entered twice, for the slope (8 fields read, 4 written) and the divergence (5 and 2); the vertical
// solve: coefficients 45 flop, elimination 9, new state 22; filter is entered twice: six fields of 7 points.
template <Order order>
Works DryModel<order>::works() const {
  const std::int64_t values = patch_.own * shape_.levels, stencil = patch_.own * (8 * 3 * Operators::points + 4 * 6);
  Works works{};
  const auto add = [&](Phase phase, std::int64_t flop, std::int64_t read, std::int64_t written, std::int64_t of_cells) {
    work_of(works, phase) = {
        .flop = flop * values, .bytes_read = read * values + of_cells, .bytes_written = written * values};
  };
  add(Phase::large_step, 7 * (10 + 7 + 3) + 60 + 8, 8 * (4 + 8), 8 * (4 + 5), stencil + 8 * 3 * patch_.own);
  add(Phase::small_step, (6 * 7 + 26 + 7 * 8 + 4) / 2, 4 * (8 + 5), 4 * (4 + 2), stencil + 4 * 3 * patch_.own);
  add(Phase::vertical_solve, 45 + 9 + 22, 8 * 8, 8 * 4, 0);
  add(Phase::filter, 2 * 6 * Operators::points + 8, 4 * (6 + 12), 8 * 6,
      patch_.own * (8 * (Operators::points + 3) + 4 * 6));
  work_of(works, Phase::tracer) = tracer_.work();
  work_of(works, Phase::pack) = {.messages = momentum_halo_.messages()};
  return works;
}

template <Order order>
std::int64_t DryModel<order>::working_set_bytes() const {
  const std::int64_t of_cell = 8 * (4 * Operators::points + 4) + 4 * Grid::most + Edges::bytes_of_cell;
  return of_cell * patch_.own + 8 * fields * shape_.items * shape_.levels;
}

template class DryModel<Order::by_level>;
template class DryModel<Order::by_column>;

}  // namespace atmosphere
