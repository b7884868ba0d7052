// Initial states of the dry atmosphere: an atmosphere at rest; case 3-1 of DCMIP 2012 (Ullrich, Jablonowski, Kent,
// Lauritzen, Nair, Taylor: a gravity wave in zonal flow on a planet of 1/125 of the radius, without rotation); the
// balanced flow of Ullrich, Melvin, Jablonowski and Staniforth, Q. J. R. Meteorol. Soc. 140 (2014) 1590, shallow form,
// also with its disturbance, which grows into a baroclinic wave.
#pragma once

#include "cases.hpp"
#include "sphere.hpp"

namespace atmosphere {

constexpr double gas_constant = 287.0;                      // of dry air, J/kg/K
constexpr double heat_of_pressure = 1004.5;                 // at constant pressure, J/kg/K
constexpr double heat = heat_of_pressure - gas_constant;    // at constant volume
constexpr double pressure_of_energy = gas_constant / heat;  // pressure over internal energy of a volume

class DryCase {
 public:
  enum Kind { rest, gravity_wave, balanced, baroclinic_wave };

  explicit DryCase(Kind kind) : kind_(kind) {}

  Kind kind() const { return kind_; }
  double radius() const { return kind_ == gravity_wave ? earth_radius / 125 : earth_radius; }  // m
  double rotation() const { return kind_ == gravity_wave ? 0 : earth_rotation; }               // rad/s
  double top() const { return kind_ == gravity_wave ? 1e4 : 3e4; }                             // height of the lid, m
  double longest() const {  // s, of a run with a known answer
    return kind_ == gravity_wave ? 3600 : kind_ == baroclinic_wave ? 9 * day : day;
  }
  double fastest() const { return 360; }  // of sound, m/s

  // At a point of the unit sphere, `z` m above the ground. Pressure in Pa, temperature in K, velocity in m/s.
  double pressure(const Vec& at, double z) const;
  double temperature(const Vec& at, double z) const;  // of the balance of pressure and weight
  double warmer(const Vec& at, double z) const;       // by so much at the same pressure: the disturbance
  Vec velocity(const Vec& at, double z) const;
  double tracer(const Vec& at, double z) const;  // mixing ratio, 0 to 1

 private:
  Kind kind_;
};

}  // namespace atmosphere
