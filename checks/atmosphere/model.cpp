#include "model.hpp"

#include <algorithm>
#include <cmath>

namespace atmosphere {

Model::Model(MPI_Comm comm, const Patch& patch, const Operators& operators, const Williamson& of, double dt,
             double diffusion, const Edges* edges)
    : patch_(patch),
      operators_(operators),
      halo_(comm, patch, 4),
      advects_only_(of.advects_only()),
      dt_(dt),
      diffusion_(diffusion),
      ground_(static_cast<std::size_t>(patch.items())),
      coriolis_(static_cast<std::size_t>(patch.own)),
      energy_(static_cast<std::size_t>(patch.items())),
      begin_(patch.items()),
      now_(patch.items()),
      next_(patch.items()),
      spread_(patch.items()) {
  if (advects_only_ && edges != nullptr) {
    tracer_.emplace(comm, patch, *edges, Shape<Order::by_column>{patch.items(), 1}, 1.0);
  }
}

void Model::start(const Grid& grid, const Williamson& of) {
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < patch_.items(); ++item) {
    const auto i = static_cast<std::size_t>(item);
    const Vec& at = grid.centre[static_cast<std::size_t>(patch_.cells[i])];
    ground_[i] = of.ground(at);
    now_.height[i] = of.height(at);
    now_.velocity.set(i, of.velocity(at));
    if (item < patch_.own) coriolis_[i] = of.coriolis(at);
    if (tracer_) tracer_->amount()[item] = now_.height[i];
  }
  next_ = now_;
  steps_ = 0;
}

void Model::exchange(State& state) {
  double* const fields[] = {state.height.data(), state.velocity.x.data(), state.velocity.y.data(),
                            state.velocity.z.data()};
  halo_.exchange(fields, watch_);
}

void Model::step() {
  const InStep whole(watch_, Phase::step);
  ++steps_;
  if (tracer_) return carry();
  begin_.height.swap(now_.height);
  std::swap(begin_.velocity, now_.velocity);
  exchange(begin_);
  add_tendency(begin_, dt_ / 3);
  exchange(next_);
  std::swap(next_, now_);
  add_tendency(now_, dt_ / 2);
  exchange(next_);
  std::swap(next_, now_);
  add_tendency(now_, dt_);
  std::swap(next_, now_);
  if (diffusion_ > 0) filter();
}

// Case 1 as a tracer of one layer in air of density 1.
void Model::carry() {
  const std::vector<double> still(now_.height.size()), ones(now_.height.size(), 1);
  Vectors& v = now_.velocity;
  tracer_->advance(dt_, {v.x.data(), v.y.data(), v.z.data(), still.data(), ones.data(), ones.data()}, watch_);
  std::copy_n(tracer_->amount(), patch_.own, now_.height.begin());
}

void Model::leave_out_halos(bool stale) {
  halo_.leave_out(stale);
  if (tracer_) tracer_->leave_out_halos(stale);
}

// energy is a field of all items, so that a value is made once and not by each of seven neighbours.
void Model::add_tendency(const State& of, double dt) {
  const InStep part(watch_, Phase::large_step);
  const std::int64_t own = patch_.own, items = patch_.items();
  const Vectors& v = of.velocity;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t item = 0; item < items; ++item) {
      const auto i = static_cast<std::size_t>(item);
      energy_[i] =
          earth_gravity * (of.height[i] + ground_[i]) + 0.5 * (v.x[i] * v.x[i] + v.y[i] * v.y[i] + v.z[i] * v.z[i]);
    }
#pragma omp for schedule(static)
    for (std::int64_t c = 0; c < own; ++c) {
      const auto me = static_cast<std::size_t>(c);
      double outflow = 0, vorticity = 0;
      Vec slope{};
      for (int p = 0; p < Operators::points; ++p) {
        const auto i = static_cast<std::size_t>(operators_.item(p, c));
        const Vec flux = operators_.flux(p, c), here = v.at(i);
        outflow += dot(flux, here) * of.height[i];
        vorticity += dot(operators_.turn(p, c), here);
        slope += flux * (energy_[i] - energy_[me]);
      }
      next_.height[me] = begin_.height[me] - dt * outflow;
      if (advects_only_) continue;
      const Vec up = operators_.up(c);
      const Vec force = cross(up, v.at(me)) * -(vorticity + coriolis_[me]) - slope;
      const Vec moved = begin_.velocity.at(me) + (force - up * dot(up, force)) * dt;
      next_.velocity.set(me, moved);
    }
  }
  if (advects_only_) next_.velocity = begin_.velocity;
}

// The surface is smooth, the depth over a mountain is not.
void Model::surface() {
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < patch_.items(); ++item) {
    const auto i = static_cast<std::size_t>(item);
    energy_[i] = now_.height[i] + ground_[i];
  }
}

// Of heights and of the velocity of a state.
void Model::laplacian(const std::vector<double>& heights, const State& of, State& into) const {
  const std::int64_t own = patch_.own;
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < own; ++c) {
    double height = 0;
    Vec velocity{};
    for (int p = 0; p < Operators::points; ++p) {
      const auto i = static_cast<std::size_t>(operators_.item(p, c));
      const double weight = operators_.spread(p, c);
      height += weight * heights[i];
      velocity += of.velocity.at(i) * weight;
    }
    into.height[static_cast<std::size_t>(c)] = height;
    into.velocity.set(static_cast<std::size_t>(c), velocity);
  }
}

// Two Laplacians with an exchange between: velocity and height lose their shortest waves, the mass stays.
void Model::filter() {
  exchange(now_);
  {
    const InStep part(watch_, Phase::filter);
    surface();
    laplacian(energy_, now_, spread_);
  }
  exchange(spread_);
  const InStep part(watch_, Phase::filter);
  laplacian(spread_.height, spread_, next_);
  const double strength = dt_ * diffusion_;
#pragma omp parallel for schedule(static)
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    now_.height[i] -= strength * next_.height[i];
    if (advects_only_) continue;
    const Vec up = operators_.up(c), moved = now_.velocity.at(i) - next_.velocity.at(i) * strength;
    now_.velocity.set(i, moved - up * dot(up, moved));
  }
}

double Model::mass() const {
  double sum = 0;
  for (std::int64_t c = 0; c < patch_.own; ++c) sum += operators_.area(c) * now_.height[static_cast<std::size_t>(c)];
  return sum;
}

double Model::energy() const {
  double sum = 0;
  for (std::int64_t c = 0; c < patch_.own; ++c) {
    const auto i = static_cast<std::size_t>(c);
    const double h = now_.height[i], b = ground_[i];
    const Vec v = now_.velocity.at(i);
    sum += operators_.area(c) * (0.5 * h * dot(v, v) + 0.5 * earth_gravity * ((h + b) * (h + b) - b * b));
  }
  return sum;
}

double Model::least_height() const { return *std::min_element(now_.height.begin(), now_.height.begin() + patch_.own); }

// energy: 9 an item. A point: dot and product for the outflow 7, dot for the vorticity 6, difference and product for
// the slope 7; a cell: height 2, cross, scale and difference 9 + 5 + 3, tangent part 5 + 6, new velocity 6.
// Where the velocity stays, the height alone.
std::int64_t Model::stage_flop() const {
  return 9 * patch_.items() + (20 * Operators::points + (advects_only_ ? 2 : 36)) * patch_.own;
}

// Coefficients of flux and turn and the six neighbours of a cell; state before, state of the stage, ground, Coriolis,
// energy once, up.
std::int64_t Model::stage_bytes_read() const {
  const std::int64_t of_cell = 8 * (2 * 3 * Operators::points + 4 + 1 + 3) + 4 * Grid::most;
  return of_cell * patch_.own + 8 * (4 + 1 + 1) * patch_.items();
}

Works Model::works() const {
  Works works{};
  work_of(works, Phase::large_step) = {
      .flop = stage_flop(), .bytes_read = stage_bytes_read(), .bytes_written = 8 * 4 * patch_.own + 8 * patch_.items()};
  // A Laplacian, entered twice a step: seven products and sums of four fields.
  work_of(works, Phase::filter) = {
      .flop = std::int64_t{2} * 4 * Operators::points * patch_.own,
      .bytes_read = (8 * (Operators::points + 4) + 4 * Grid::most) * patch_.own + 8 * 4 * patch_.items()};
  if (tracer_) work_of(works, Phase::tracer) = tracer_->work();
  work_of(works, Phase::pack) = {.messages = halo_.messages()};
  return works;
}

// Coefficients, neighbours, up and Coriolis; four states of four fields, ground and energy.
std::int64_t Model::working_set_bytes() const {
  return (8 * (7 * Operators::points + 4) + 4 * Grid::most) * patch_.own + 8 * (4 * 4 + 2) * patch_.items();
}

double longest_step(double least_spacing, double fastest) { return 0.9 * least_spacing / fastest; }

}  // namespace atmosphere
