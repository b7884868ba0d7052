// The test cases 1, 2, 5 and 6 of Williamson, Drake, Hack, Jakob and Swarztrauber, J. Comput. Phys. 102 (1992) 211.
#pragma once

#include "sphere.hpp"

namespace atmosphere {

constexpr double earth_radius = 6.37122e6;   // m
constexpr double earth_rotation = 7.292e-5;  // rad/s
constexpr double earth_gravity = 9.80616;    // m/s^2
constexpr double day = 86400;                // s

enum class Case { bell = 1, steady = 2, mountain = 5, wave = 6 };

class Williamson {
 public:
  // `tilt`: angle in rad between the axis of the flow and that of the planet, of cases 1 and 2.
  Williamson(Case which, double tilt) : case_(which), tilt_(tilt) {}

  // At a point of the unit sphere at the start. Height of the fluid and of the ground in m, velocity in m/s.
  double height(const Vec& at) const;
  double ground(const Vec& at) const;
  Vec velocity(const Vec& at) const;
  // 1/s: twice the upward component of the rotation; of case 2 about the tilted axis.
  double coriolis(const Vec& at) const;

  // Cases 1 and 2: the height after so many seconds is that at the start, turned about the axis of the flow.
  bool exact() const { return case_ == Case::bell || case_ == Case::steady; }
  double exact_height(const Vec& at, double seconds) const;
  bool advects_only() const { return case_ == Case::bell; }  // the velocity does not change

 private:
  Vec axis() const;

  Case case_;
  double tilt_;
};

}  // namespace atmosphere
