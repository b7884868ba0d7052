// Dry air without hydrostatic balance, in a shallow atmosphere without mountains, on a patch times levels of equal
// thickness (Satoh, Mon. Wea. Rev. 130 (2002) 1227; Tomita and Satoh, Fluid Dyn. Res. 34 (2004) 357). R = density, V =
// R v (v horizontal, tangent in Cartesian components), W = R w on the lower face of each layer, E = internal energy of
// a volume, P = (gas constant / heat) E, h = (E + P) / R:
//
//   dR/dt = -div V - dW/dz                  dV/dt = -grad P - [div(V v) + d(W v)/dz + f up x V]
//   dW/dt = -dP/dz - g R - [div(V w) + d(W w)/dz]
//   dE/dt = -div(h V) - d(h W)/dz + v . grad P + w dP/dz
//
// Three Runge-Kutta stages of dt/3, dt/2, dt evaluate the brackets, h, v and dP/dz / R. Each stage goes from the state
// before the step in small steps of equal length, 2, 3 and 6 of them: V forward, then R, W and E with W implicit in
// each column (tridiagonal), weighted by `ahead`. Sound is damped by a pressure that is extrapolated by `damping` of a
// small step, which is a divergence damping (Skamarock and Klemp, Mon. Wea. Rev. 120 (1992) 2109). Then the tracer,
// then hyperdiffusion.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "columns.hpp"
#include "dry_cases.hpp"
#include "halo.hpp"
#include "operators.hpp"
#include "tracer.hpp"

namespace atmosphere {

template <Order order>
struct Air {
  Field<order> density, energy, lift, x, y, z;  // kg/m^3, J/m^3, kg/m^2/s

  explicit Air(const Shape<order>& shape) : density(shape), energy(shape), lift(shape), x(shape), y(shape), z(shape) {}
};

struct DryNumbers {
  double dt = 0;        // s
  int small_steps = 6;  // of a step, a multiple of 6
  int levels = 40;
  double damping = 0.1;  // of divergence
  double ahead = 0.6;    // weight of the new state in the vertical: 0.5 has no damping
  double diffusion = 0;  // m^4/s
};

template <Order order>
class DryModel {
 public:
  // Collective. The numbers of `edges` are for the tracer.
  DryModel(MPI_Comm comm, const Patch& patch, const Operators& operators, const Edges& edges, const DryCase& of,
           const DryNumbers& numbers);

  void start(const Grid& grid, const DryCase& of);
  void disturb();  // adds noise of 1 m/s to the momentum, the same on any ranks
  void step();     // collective
  void watch(StepWatch* watch) { watch_ = watch; }
  void leave_out_halos(bool stale);

  const Shape<order>& shape() const { return shape_; }
  Air<order>& state() { return begin_; }
  const Air<order>& state() const { return begin_; }
  const Tracer<order>& tracer() const { return tracer_; }
  double seconds() const { return static_cast<double>(steps_) * numbers_.dt; }
  double surface_pressure(std::int64_t item) const;  // Pa

  // Of the own cells.
  double mass() const;            // kg
  double tracer_mass() const;     // kg
  double energy() const;          // J: internal, potential, kinetic
  double kinetic_energy() const;  // J, of horizontal flow
  double divergence2() const;     // sum of area x square of the divergence of the lowest momentum
  double fastest() const;         // m/s, largest component of horizontal and vertical flow

  double least_tracer() const;  // mixing ratio

  Works works() const;
  std::int64_t working_set_bytes() const;
  static constexpr std::int64_t fields = 3 * 6 + 10 + 4;       // of items and levels
  std::int64_t messages_of_step() const { return messages_; }  // of the last step
  // A small step sends momentum, then pressure, or after a stage the rest of the state; tracer and filter send twice.
  std::int64_t messages_by_formula() const {
    const int small = numbers_.small_steps;
    return momentum_halo_.messages() * (2 * (small / 3 + small / 2 + small) + 2 + (numbers_.diffusion > 0 ? 2 : 0));
  }

 private:
  using Fields = Air<order>;

  void diagnose(Fields& of);
  void large_step(Fields& of);
  template <bool last>
  void push(Fields& from, double share);
  void divergence();
  void solve_columns(Fields& from, double share);
  void solve_block(Fields& from, double share, tenken::Range cells, double* scratch);
  template <bool add>
  void laplacian(Fields& of, Fields& into, double factor);
  void stage(Fields& of, int small_steps);
  void filter();
  void exchange(Halo& halo, std::initializer_list<Field<order>*> fields);

  const Patch& patch_;
  const Operators& operators_;
  DryNumbers numbers_;
  Shape<order> shape_;
  double dz_, dtau_;
  std::vector<double> coriolis_;  // of own cells
  Fields begin_, now_, slow_;     // slow_: the brackets; in the filter, Laplacians
  Field<order> inverse_, enthalpy_, scratch_, pull_, gain_, pressure_;
  Field<order> flux_x_, flux_y_, flux_z_, flux_up_;  // means over the small steps of the last stage
  Tracer<order> tracer_;
  Halo momentum_halo_, pressure_halo_, column_halo_, state_halo_;
  StepWatch* watch_ = nullptr;
  std::int64_t steps_ = 0, messages_ = 0;
};

}  // namespace atmosphere
