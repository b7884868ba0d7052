// Light that crosses a film at right angles: Maxwell's equation in one dimension for a = A/c along one axis at every
// macro point, with J = dE/dA / volume of the crystal there (the electric current is -J),
//
//   d2a/dt2 = c^2 d2a/dx2 - 4 pi J,   energy of an area = integral of ((da/dt)^2 + c^2 (da/dx)^2) / (8 pi) dx,
//
// by leap-frog on points `spacing` apart: `vacuum` before the film, those of the film, `vacuum` behind it. Both ends
// absorb (G. Mur, IEEE Trans. Electromagn. Compat. EMC-23, 377 (1981)); light enters at the first point. Atomic units.
#pragma once

#include <cstdint>
#include <vector>

#include "numerics/team.hpp"
#include "pulse.hpp"

namespace tenken::tddft {

inline constexpr double light_speed = 137.035999;  // atomic units: 1 / fine-structure constant

struct LightGrid {
  std::int64_t vacuum = 4;  // points on each side, at least 1
  std::int64_t film = 1;
  double spacing = 0, dt = 0;  // stable for light_speed dt <= spacing
  std::int64_t size() const { return film + 2 * vacuum; }
};

// The points `own` of a grid, of which the first and the last come with at least one neighbour. Values of three steps:
// one before, now, and the next.
class Light {
 public:
  Light(const LightGrid& grid, Range own, const Pulse& incident);

  Range own() const { return own_; }
  // a now and one step later, of a point of the grid: an own one, or one beside them that set_beyond() has told.
  double now(std::int64_t point) const { return now_[place(point)]; }
  double next(std::int64_t point) const { return next_[place(point)]; }
  // (a of the next step - a of the one before) / 2 dt
  double velocity(std::int64_t point) const { return (next_[place(point)] - before_[place(point)]) / (2 * grid_.dt); }
  double incident() const { return incident_at(time_ * grid_.dt, 0); }  // at the first point, now
  std::int64_t steps() const { return time_; }

  // The next values of the points before and behind the own ones, before step(); not used at the ends of the grid.
  void set_beyond(double before, double behind);
  // From now to the next step. current: J of the next step, [point - own().first], 0 in vacuum.
  void step(const std::vector<double>& current);

  // Energy that came in through the ends that are own, less what left; and both added up. Hartree / Bohr^2.
  double entered() const { return entered_; }
  double crossed() const { return crossed_; }

 private:
  std::size_t place(std::int64_t point) const { return static_cast<std::size_t>(point - own_.first + 1); }
  double incident_at(double t, double x) const { return pulse_.a(t - x / light_speed); }
  void cross(double energy);

  LightGrid grid_;
  Range own_;
  Pulse pulse_;
  std::int64_t time_ = 0;                    // steps of now_
  std::vector<double> before_, now_, next_;  // with one place more on both sides
  double entered_ = 0, crossed_ = 0;
};

// Energy of the field half a step after `now`, of all points of the grid: leap-frog keeps it to rounding, but for the
// work of J and what crosses the ends. Hartree / Bohr^2.
double field_energy(const LightGrid& grid, const std::vector<double>& now, const std::vector<double>& next);

}  // namespace tenken::tddft
