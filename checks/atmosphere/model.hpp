// The shallow-water equations on a patch: dh/dt = -div(h v), dv/dt = -(zeta + f) up x v - grad(g (h + ground) + v^2 /
// 2), v tangent in Cartesian components. Three Runge-Kutta stages of dt/3, dt/2, dt (Wicker and Skamarock, Mon. Wea.
// Rev. 130 (2002) 2088), then weak hyperdiffusion -(Laplacian of the Laplacian).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cases.hpp"
#include "halo.hpp"
#include "operators.hpp"
#include "tracer.hpp"

namespace atmosphere {

struct State {
  std::vector<double> height;
  Vectors velocity;

  explicit State(std::int64_t items = 0) : height(static_cast<std::size_t>(items)), velocity(items) {}
};

class Model {
 public:
  // dt in s, `diffusion` in m^4/s. With `edges`, case 1 moves by limited fluxes, without hyperdiffusion.
  Model(MPI_Comm comm, const Patch& patch, const Operators& operators, const Williamson& of, double dt,
        double diffusion, const Edges* edges = nullptr);

  void start(const Grid& grid, const Williamson& of);  // puts the state of the case into every item
  void step();                                         // collective
  void watch(StepWatch* watch) { watch_ = watch; }

  const State& state() const { return now_; }
  double seconds() const { return static_cast<double>(steps_) * dt_; }
  double dt() const { return dt_; }
  void leave_out_halos(bool stale);
  const Halo& halo() const { return halo_; }

  // Of the own cells.
  double mass() const;    // m^3
  double energy() const;  // m^5/s^2: kinetic, and potential above the ground
  double least_height() const;

  Works works() const;
  std::int64_t working_set_bytes() const;  // that a step touches on this rank

 private:
  void exchange(State& state);
  std::int64_t stage_flop() const;
  std::int64_t stage_bytes_read() const;
  void add_tendency(const State& of, double dt);  // next_ = begin_ + dt * tendency(of)
  void surface();                                 // into energy_
  void laplacian(const std::vector<double>& heights, const State& of, State& into) const;
  void filter();
  void carry();

  const Patch& patch_;
  const Operators& operators_;
  Halo halo_;
  bool advects_only_;
  double dt_, diffusion_;
  std::vector<double> ground_, coriolis_;  // of items; of own cells
  std::vector<double> energy_;             // of items: g (h + ground) + v^2 / 2
  State begin_, now_, next_, spread_;
  std::optional<Tracer<Order::by_column>> tracer_;
  StepWatch* watch_ = nullptr;
  std::int64_t steps_ = 0;
};

// The longest step that is stable, s: a gravity wave passes 0.9 of a cell in it.
double longest_step(double least_spacing, double fastest);

}  // namespace atmosphere
