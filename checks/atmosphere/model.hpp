// The shallow-water equations on a patch: dh/dt = -div(h v), dv/dt = -(zeta + f) up x v - grad(g (h + ground) + v^2 /
// 2), v tangent in Cartesian components. Three Runge-Kutta stages of dt/3, dt/2, dt (Wicker and Skamarock, Mon. Wea.
// Rev. 130 (2002) 2088), then weak hyperdiffusion -(Laplacian of the Laplacian).
#pragma once

#include <cstdint>
#include <vector>

#include "cases.hpp"
#include "operators.hpp"
#include "parallel/exchange.hpp"
#include "phases.hpp"

namespace atmosphere {

struct State {
  std::vector<double> height;
  Vectors velocity;

  explicit State(std::int64_t items = 0) : height(static_cast<std::size_t>(items)), velocity(items) {}
};

// Moves the halos of height and velocity, all four fields in one message to each neighbour.
class Halo {
 public:
  Halo(MPI_Comm comm, const Patch& patch);
  void exchange(State& state, StepWatch* watch);
  std::int64_t messages() const { return exchange_.messages(); }
  std::int64_t bytes() const { return exchange_.bytes(); }
  void leave_out(bool stale) { stale_ = stale; }  // a fault: the halo has old values

 private:
  tenken::Exchange exchange_;
  bool stale_ = false;
};

class Model {
 public:
  // dt in s, `diffusion` in m^4/s.
  Model(MPI_Comm comm, const Patch& patch, const Operators& operators, const Williamson& of, double dt,
        double diffusion);

  void start(const Grid& grid, const Williamson& of);  // puts the state of the case into every item
  void step();                                         // collective
  void watch(StepWatch* watch) { watch_ = watch; }

  const State& state() const { return now_; }
  double seconds() const { return static_cast<double>(steps_) * dt_; }
  double dt() const { return dt_; }
  Halo& halo() { return halo_; }
  const Halo& halo() const { return halo_; }

  // Of the own cells.
  double mass() const;    // m^3
  double energy() const;  // m^5/s^2: kinetic, and potential above the ground

  // Work of one stage and of the two Laplacians of the filter.
  std::int64_t stage_flop() const;
  std::int64_t stage_bytes_read() const;
  std::int64_t stage_bytes_written() const;
  std::int64_t filter_flop() const;
  std::int64_t filter_bytes() const;
  std::int64_t working_set_bytes() const;  // that a step touches on this rank

 private:
  void add_tendency(const State& of, double dt);  // next_ = begin_ + dt * tendency(of)
  void surface();                                 // into energy_
  void laplacian(const std::vector<double>& heights, const State& of, State& into) const;
  void filter();

  const Patch& patch_;
  const Operators& operators_;
  Halo halo_;
  bool advects_only_;
  double dt_, diffusion_;
  std::vector<double> ground_, coriolis_;  // of items; of own cells
  std::vector<double> energy_;             // of items: g (h + ground) + v^2 / 2
  State begin_, now_, next_, spread_;
  StepWatch* watch_ = nullptr;
  std::int64_t steps_ = 0;
};

// Hyperdiffusion that damps the shortest waves, two cells long, by 1/e in so many hours: m^4/s.
double diffusion_of(double spacing, double hours);

// The longest step that is stable, s: a gravity wave passes 0.9 of a cell in it.
double longest_step(double least_spacing, double fastest);

}  // namespace atmosphere
