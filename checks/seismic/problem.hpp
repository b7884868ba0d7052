// What is computed: a box of rock, its layers, a source and receivers. The same on every rank.
//
// Units: km, s, g/cm^3; so stress is in GPa, force in 1e15 N, moment in 1e18 N m.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "layout.hpp"
#include "parallel/partition.hpp"
#include "pulse.hpp"

namespace tenken::seismic {

struct Material {
  double density = 2.7, vp = 6.0, vs = 3.5;
};

enum class Absorb { none, pml, sponge };

// Sides with layers: all four and the bottom, both ends of x, or its lower end. The others are rigid.
enum class Sides { all, x, lower_x };

// Quality factors; 0: elastic.
struct Quality {
  double p = 0, s = 0;
  bool elastic() const { return p == 0; }
};

// A generalised Zener body: M(w) = M_u (1 - sum_m phi weight_m / (1 + i w tau_m)), phi of P or S.
struct Relaxation {
  std::array<double, 3> tau{}, weight{};
  double phi_p = 0, phi_s = 0;
  // Of the modulus that velocities at the middle frequency belong to: unrelaxed over that.
  double stiffer_p = 1, stiffer_s = 1;
};
// 1 / Q of a body at an angular frequency.
double loss_of(const Relaxation& relaxation, double phi, double omega);
// 1 / Q is right in the mean over [middle / 5, middle * 5] (angular frequencies) and differs from it by less than 4 %.
Relaxation relaxation_of(const Quality& quality, double middle);

struct Receiver {
  Component component;
  Index<3> cell;
};

// A step of `component` in `cell` gains amplitude * pulse(t).
struct Injection {
  Component component;
  Index<3> cell;
  double amplitude;
};

struct Problem {
  Index<3> cells{};
  bool periodic =
      false;  // in x and y, without a surface also in z, where cells are then a multiple of `unit`; no layers
  double h = 0.1;
  double dt = 0.005;
  Material material;
  double contrast = 0;  // velocities differ at random by up to this part, the same in cubes of 8^3 cells
  std::uint64_t seed = 1;
  Quality quality;
  bool surface = true;  // free at k = 0; else a layer there
  Absorb absorb = Absorb::pml;
  int layer = 10;  // cells
  Sides sides = Sides::all;
  Pulse pulse;
  std::vector<Injection> sources;
  std::vector<Receiver> receivers;
  bool everywhere = false;  // planted: a layer that damps inside, too

  Material at(Index<3> cell) const;
  double fastest() const;                                               // vp
  double slowest() const;                                               // vs
  double middle() const { return 6.283185307179586 / pulse.duration; }  // angular frequency of the source
};

// Longest stable step: dt vp / h <= 6 / (7 sqrt 3), of the 4th-order operators in three dimensions.
double longest_step(const Problem& problem);

// A force along an axis, 1e15 N, at the point of that velocity in a cell; and a moment tensor xx, yy, zz, xy, xz, yz,
// 1e18 N m, at the centre of a cell. Both follow the pulse: the force itself, of the moment its rate.
std::vector<Injection> force(const Problem& problem, int axis, const Index<3>& cell, double newton);
std::vector<Injection> moment(const Problem& problem, const std::array<double, 6>& tensor, const Index<3>& cell);

}  // namespace tenken::seismic
