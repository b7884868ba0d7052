// A time step of the incompressible Navier-Stokes equations by projection, second order in time:
//
//   momentum    (M / dt + N / 2) (u* - u) = -N u + D^T p + f,  N = C(w) + K, w = 3/2 u - 1/2 u_before
//   pressure    L phi = -D u* / dt
//   projection  u = u* + dt M^-1 D^T phi,  p = p + phi
//
// (A. J. Chorin, Math. Comp. 22 (1968) 745; J. van Kan, SIAM J. Sci. Stat. Comput. 7 (1986) 870: with the pressure of
// the step before). Viscosity: molecular, and C_s^2 V_e^(2/3) |S| of J. Smagorinsky, Mon. Wea. Rev. 91 (1963) 99.
#pragma once

#include <mpi.h>

#include <memory>

#include "bicgstab.hpp"
#include "flow.hpp"
#include "modes.hpp"
#include "momentum.hpp"
#include "pressure.hpp"

namespace les {

struct Rules {
  Rule momentum, pressure;
  double smagorinsky = 0;
};

// What a step did.
struct StepFacts {
  std::array<int, 3> momentum_iterations{};  // of each component
  int pressure_iterations = 0;
  double divergence_before = 0;  // norm of D u*
  double pressure_residual = 0;  // |r| / |b| of the pressure at its end, by the recurrence
};

template <class Real>
class Stepper {
 public:
  // groups: of elements, colours for variant scatter. Collective.
  Stepper(MPI_Comm comm, const Box& box, const Mesh& mesh, const std::vector<std::vector<std::int32_t>>& groups,
          const Flow& flow, Variant variant, const Rules& rules, double dt);

  void start();
  StepFacts step();
  void watch(StepWatch* watch);

  double time() const { return static_cast<double>(steps_) * dt_; }
  const Three<Real>& velocity() const { return u_; }
  const Real* pressure() const { return p_.data(); }
  const Elements<Real>& elements() const { return elements_; }
  Pressure<Real>& pressure_operator() { return *pressure_; }
  const Momentum<Real>& momentum() const { return *momentum_; }
  NodeSums<Real>& node_sums() { return sums_; }
  const Reductions& reductions() const { return reduce_; }
  std::int64_t reductions_by_formula(const StepFacts& facts) const;
  const std::vector<double>& mass() const { return mass_; }  // of nodes, of the elements of all ranks
  std::int64_t working_set_bytes() const;                    // that a step touches on this rank
  double mesh_volume() const;                                // of this rank's elements
  double kinetic_energy() const;                             // of this rank's own nodes, of a unit of density
  // dt^2 / 4 p . L p: the scheme's energy is kinetic energy and this, which viscosity alone takes from (module comment
  // of step.cpp). Of this rank's own nodes; collective.
  double pressure_energy();
  double divergence_norm();          // of this rank
  double error(double& size) const;  // sums over this rank's own nodes of M |u - exact|^2, and M |exact|^2

 private:
  using Field = tenken::Buffer<Real>;
  Three<Real> field(std::array<Field, 3>& memory, std::string_view purpose) const;
  void model();
  void assemble();
  void right_sides();
  Rule pressure_rule() const;

  const Box& box_;
  const Mesh& mesh_;
  Flow flow_;
  Rules rules_;
  double dt_;
  Elements<Real> elements_;
  NodeSums<Real> sums_;
  Reductions reduce_;
  std::vector<std::uint8_t> fixed_;  // of nodes
  std::vector<double> mass_;
  Field part_mass_, inverse_mass_;
  std::unique_ptr<Momentum<Real>> momentum_;
  std::unique_ptr<Pressure<Real>> pressure_;
  PressureModes modes_;
  std::array<Field, 3> u_memory_, before_memory_, with_memory_, right_memory_;
  Three<Real> u_, before_, with_, right_;  // with: w
  Field p_, phi_, right_p_, viscosity_, flux_, diagonal_, change_;
  BiCgStab<Real> nodes_solver_, elements_solver_;
  StepWatch* watch_ = nullptr;
  std::int64_t steps_ = 0;
};

}  // namespace les
