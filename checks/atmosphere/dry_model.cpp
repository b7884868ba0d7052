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
      coriolis_(static_cast<std::size_t>(patch.own)),
      begin_(shape_),
      now_(shape_),
      slow_(shape_),
      inverse_(shape_),
      enthalpy_(shape_),
      scratch_(shape_),
      pull_(shape_),
      gain_(shape_),
      pressure_(shape_),
      flux_x_(shape_),
      flux_y_(shape_),
      flux_z_(shape_),
      flux_up_(shape_),
      tracer_(comm, patch, edges, shape_, dz_),
      momentum_halo_(comm, patch, 3, numbers.levels, order),
      pressure_halo_(comm, patch, 1, numbers.levels, order),
      column_halo_(comm, patch, 3, numbers.levels, order),
      state_halo_(comm, patch, 6, numbers.levels, order) {
  for (std::int64_t c = 0; c < patch.own; ++c) {
    coriolis_[static_cast<std::size_t>(c)] = 2 * of.rotation() * operators.up(c).z;
  }
}

// Pressure by the model's own balance from the lowest layer up: (P - P below) / dz = -g (R + R below) / 2.
template <Order order>
void DryModel<order>::start(const Grid& grid, const DryCase& of) {
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
      const Vec v = of.velocity(at, z) * density;
      begin_.density.data()[to] = density;
      begin_.energy.data()[to] = pressure / pressure_of_energy;
      begin_.x.data()[to] = v.x, begin_.y.data()[to] = v.y, begin_.z.data()[to] = v.z;
      begin_.lift.data()[to] = 0;
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
  for (std::int64_t item = 0; item < patch_.items(); ++item) {
    const auto cell = static_cast<std::uint64_t>(patch_.cells[static_cast<std::size_t>(item)]);
    const auto noise = [&](std::uint64_t axis) {
      return static_cast<double>(tenken::mix64(3 * cell + axis) >> 11) * 0x1p-52 - 1;
    };
    for (std::int64_t k = 0; k < shape_.levels; ++k) {
      const std::int64_t to = shape_.at(item, k);
      begin_.x.data()[to] += noise(0) * begin_.density.data()[to];
      begin_.y.data()[to] += noise(1) * begin_.density.data()[to];
      begin_.z.data()[to] += noise(2) * begin_.density.data()[to];
    }
  }
}

template <Order order>
void DryModel<order>::leave_out_halos(bool stale) {
  for (Halo* halo : {&momentum_halo_, &pressure_halo_, &column_halo_, &state_halo_}) halo->leave_out(stale);
  tracer_.leave_out_halos(stale);
}

template <Order order>
void DryModel<order>::exchange(Halo& halo, std::initializer_list<Field<order>*> fields) {
  std::array<double*, 6> data{};
  std::transform(fields.begin(), fields.end(), data.begin(), [](Field<order>* one) { return one->data(); });
  halo.exchange(std::span<double* const>(data.data(), fields.size()), watch_);
  messages_ += halo.messages();
}

// From begin_ to now_ in so many small steps, by the slow terms of `of`.
template <Order order>
void DryModel<order>::stage(Air<order>& of, int small_steps) {
  {
    const InStep part(watch_, Phase::large_step);
    diagnose(of);
    large_step(of);
  }
  const bool last = small_steps == numbers_.small_steps;
  const double share = 1.0 / small_steps;
  for (int i = 0; i < small_steps; ++i) {
    Air<order>& from = i == 0 ? begin_ : now_;
    {
      const InStep part(watch_, Phase::small_step);
      if (last) {
        push<true>(from, share);
      } else {
        push<false>(from, share);
      }
    }
    exchange(momentum_halo_, {&now_.x, &now_.y, &now_.z});
    {
      const InStep part(watch_, Phase::small_step);
      divergence();
    }
    {
      const InStep part(watch_, Phase::vertical_solve);
      solve_columns(from, share);
    }
    if (i + 1 < small_steps) {
      exchange(pressure_halo_, {&pressure_});
    } else {
      exchange(column_halo_, {&now_.density, &now_.energy, &now_.lift});
    }
  }
}

template <Order order>
void DryModel<order>::step() {
  const InStep whole(watch_, Phase::step);
  messages_ = 0;
  stage(begin_, numbers_.small_steps / 3);
  stage(now_, numbers_.small_steps / 2);
  stage(now_, numbers_.small_steps);
  tracer_.advance(
      numbers_.dt,
      {flux_x_.data(), flux_y_.data(), flux_z_.data(), flux_up_.data(), begin_.density.data(), now_.density.data()},
      watch_);
  messages_ += tracer_.messages();
  if (numbers_.diffusion > 0) filter();
  std::swap(begin_, now_);
  ++steps_;
}

// Two Laplacians with an exchange between: all fields lose their shortest waves, mass and balance stay.
template <Order order>
void DryModel<order>::filter() {
  {
    const InStep part(watch_, Phase::filter);
    laplacian<false>(now_, slow_, 0);
  }
  exchange(state_halo_, {&slow_.density, &slow_.energy, &slow_.lift, &slow_.x, &slow_.y, &slow_.z});
  {
    const InStep part(watch_, Phase::filter);
    laplacian<true>(slow_, now_, numbers_.dt * numbers_.diffusion);
  }
  exchange(state_halo_, {&now_.density, &now_.energy, &now_.lift, &now_.x, &now_.y, &now_.z});
}

// Half a layer below the middle of the lowest.
template <Order order>
double DryModel<order>::surface_pressure(std::int64_t item) const {
  const std::int64_t at = shape_.at(item, 0);
  return pressure_of_energy * begin_.energy.data()[at] + 0.5 * dz_ * earth_gravity * begin_.density.data()[at];
}

namespace {

// Sum of value(cell, level) times the volume.
template <Order order, class Value>
double volume_sum(const Shape<order>& shape, const Operators& operators, double dz, const Value& value) {
  double sum = 0;
  for (std::int64_t c = 0; c < operators.own(); ++c) {
    double column = 0;
    for (std::int64_t k = 0; k < shape.levels; ++k) column += value(shape.at(c, k), k);
    sum += operators.area(c) * dz * column;
  }
  return sum;
}

}  // namespace

template <Order order>
double DryModel<order>::mass() const {
  return volume_sum(shape_, operators_, dz_, [&](std::int64_t at, std::int64_t) { return begin_.density.data()[at]; });
}

template <Order order>
double DryModel<order>::tracer_mass() const {
  return volume_sum(shape_, operators_, dz_, [&](std::int64_t at, std::int64_t) { return tracer_.amount()[at]; });
}

template <Order order>
double DryModel<order>::kinetic_energy() const {
  const Air<order>& of = begin_;
  return volume_sum(shape_, operators_, dz_, [&](std::int64_t at, std::int64_t) {
    const Vec v{of.x.data()[at], of.y.data()[at], of.z.data()[at]};
    return 0.5 * dot(v, v) / of.density.data()[at];
  });
}

template <Order order>
double DryModel<order>::energy() const {
  const Air<order>& of = begin_;
  return kinetic_energy() + volume_sum(shape_, operators_, dz_, [&](std::int64_t at, std::int64_t k) {
           const double z = (static_cast<double>(k) + 0.5) * dz_;
           return of.energy.data()[at] + earth_gravity * z * of.density.data()[at];
         });
}

template <Order order>
double DryModel<order>::divergence2() const {
  double sum = 0;
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    double outflow = 0;
    for (int p = 0; p < Operators::points; ++p) {
      const std::int64_t at = shape_.at(operators_.item(p, c), 0);
      outflow += dot(operators_.flux(p, c), {begin_.x.data()[at], begin_.y.data()[at], begin_.z.data()[at]});
    }
    sum += operators_.area(c) * outflow * outflow;
  }
  return sum;
}

template <Order order>
double DryModel<order>::fastest() const {
  double most = 0;
  for (const Field<order>* field : {&begin_.x, &begin_.y, &begin_.z, &begin_.lift}) {
    for (std::int64_t c = 0; c < patch_.own; ++c) {
      for (std::int64_t k = 0; k < shape_.levels; ++k) {
        const std::int64_t at = shape_.at(c, k);
        const double speed = std::abs(field->data()[at] / begin_.density.data()[at]);
        if (!(speed <= most)) most = speed;  // a NaN, too
      }
    }
  }
  return most;
}

template <Order order>
double DryModel<order>::least_tracer() const {
  double least = 1;
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    for (std::int64_t k = 0; k < shape_.levels; ++k) {
      const std::int64_t at = shape_.at(c, k);
      const double one = tracer_.amount()[at] / begin_.density.data()[at];
      if (!(one >= least)) least = one;  // a NaN, too
    }
  }
  return least;
}

// large_step: two products of three at seven points, the sum carried and lifted, and about 60 in the column; small_step
// is entered twice: the slope 6 x 7 + 26, and the divergence 7 x 8 + 4; the vertical solve: coefficients 45, the
// elimination 9, the new state 22; filter, entered twice: six fields of 7 points.
// Bytes: every field once, coefficients of a cell once for all levels.
template <Order order>
Works DryModel<order>::works() const {
  const std::int64_t values = patch_.own * shape_.levels, stencil = patch_.own * (8 * 3 * Operators::points + 4 * 6);
  Works works{};
  const auto add = [&](Phase phase, std::int64_t flop, std::int64_t read, std::int64_t written, std::int64_t of_cells) {
    work_of(works, phase) = {
        .flop = flop * values, .bytes_read = 8 * read * values + of_cells, .bytes_written = 8 * written * values};
  };
  add(Phase::large_step, 7 * (10 + 7 + 3) + 60 + 8, 4 + 8, 4 + 5, stencil + 8 * 4 * patch_.own);
  add(Phase::small_step, (6 * 7 + 26 + 7 * 8 + 4) / 2, (8 + 5) / 2 + 1, (4 + 2) / 2, stencil);
  add(Phase::vertical_solve, 45 + 9 + 22, 8, 4, 0);
  add(Phase::filter, 2 * 6 * Operators::points + 8, 6 + 3, 6, patch_.own * (8 * (Operators::points + 3) + 4 * 6));
  work_of(works, Phase::tracer) = tracer_.work();
  work_of(works, Phase::pack) = {.messages = momentum_halo_.messages()};
  return works;
}

template <Order order>
std::int64_t DryModel<order>::working_set_bytes() const {
  const std::int64_t of_cell =
      8 * (4 * Operators::points + 4) + 4 * Grid::most + static_cast<std::int64_t>(sizeof(Edges::OfCell));
  return of_cell * patch_.own + 8 * fields * shape_.items * shape_.levels;
}

template class DryModel<Order::by_level>;
template class DryModel<Order::by_column>;

}  // namespace atmosphere
