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

// Where the values of a state are.
struct AirView {
  double *density, *energy, *lift, *x, *y, *z;  // kg/m^3, J/m^3, kg/m^2/s

  Vec momentum(std::int64_t i) const { return {x[i], y[i], z[i]}; }
  void set_momentum(std::int64_t i, const Vec& v) const { x[i] = v.x, y[i] = v.y, z[i] = v.z; }
};

template <Order order>
class Air {
 public:
  explicit Air(const Shape<order>& shape)
      : fields_{Field(shape), Field(shape), Field(shape), Field(shape), Field(shape), Field(shape)} {}
  AirView view() const {
    const auto at = [&](std::size_t i) { return fields_[i].data(); };
    return {at(0), at(1), at(2), at(3), at(4), at(5)};
  }

 private:
  std::array<Field<order>, 6> fields_;
};

// Sums over the own cells.
struct DryTotals {
  double mass = 0, tracer = 0;     // kg
  double energy = 0, kinetic = 0;  // J: internal, potential and kinetic; kinetic, of horizontal flow
  double divergence2 = 0;          // area x square of the divergence of the lowest momentum
  double fastest = 0;              // m/s, largest component of the flow
  double least_tracer = 1;         // mixing ratio
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
  AirView state() const { return begin_.view(); }
  const Tracer<order>& tracer() const { return tracer_; }
  double seconds() const { return static_cast<double>(steps_) * numbers_.dt; }
  double surface_pressure(std::int64_t item) const;  // Pa

  DryTotals totals() const;
  Works works() const;
  std::int64_t working_set_bytes() const;
  static constexpr std::int64_t fields = 3 * 6 + 10 + Tracer<order>::fields;  // of items and levels
  std::int64_t messages_of_step() const { return messages_; }                 // of the last step
  // A small step sends momentum, then pressure, or after a stage the rest of the state; tracer and filter send twice.
  std::int64_t messages_by_formula() const {
    const int small = numbers_.small_steps;
    return momentum_halo_.messages() * (2 * (small / 3 + small / 2 + small) + 2 + (numbers_.diffusion > 0 ? 2 : 0));
  }

 private:
  void diagnose(AirView of);
  void large_step(AirView of);
  template <bool last>
  void push(bool first, double share);
  void divergence();
  void solve_columns(bool first, double share);
  void solve_block(bool first, double share, tenken::Range cells, double* scratch);
  template <bool add>
  void laplacian(AirView of, AirView into, double factor);
  void stage(AirView of, int small_steps);
  void filter();
  void exchange(Halo& halo, std::initializer_list<double*> fields);

  const Patch& patch_;
  const Operators& operators_;
  DryNumbers numbers_;
  Shape<order> shape_;
  double dz_, dtau_, rotation_;
  Air<order> begin_{shape_}, now_{shape_}, slow_{shape_};  // slow_: the brackets; in the filter, Laplacians
  Field<order> inverse_{shape_}, enthalpy_{shape_}, scratch_{shape_}, pull_{shape_}, gain_{shape_}, pressure_{shape_};
  // Means over the small steps of the last stage.
  Field<order> flux_x_{shape_}, flux_y_{shape_}, flux_z_{shape_}, flux_up_{shape_};
  Tracer<order> tracer_;
  Halo momentum_halo_, pressure_halo_, column_halo_, state_halo_;
  StepWatch* watch_ = nullptr;
  std::int64_t steps_ = 0, messages_ = 0;
};

}  // namespace atmosphere
