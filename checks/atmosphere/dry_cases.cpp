#include "dry_cases.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace atmosphere {

namespace {

using std::numbers::pi;

constexpr double base_pressure = 1e5;  // Pa
constexpr double kappa = gas_constant / heat_of_pressure;

double cos_latitude(const Vec& at) { return std::hypot(at.x, at.y); }

Vec eastward(const Vec& at, double speed) {  // `speed` on the equator side: times the unit vector to the east
  const double c = cos_latitude(at);
  return c > 0 ? Vec{-at.y / c, at.x / c, 0} * speed : Vec{};
}

// DCMIP 3-1.
constexpr double wave_wind = 20, buoyancy2 = 1e-4, equator_temperature = 300;  // m/s, 1/s^2, K
constexpr double g2 = earth_gravity * earth_gravity;
constexpr double scale_temperature = g2 / (buoyancy2 * heat_of_pressure);

double ground_temperature(const Vec& at) {
  const double cos2 = 1 - 2 * at.z * at.z;
  return scale_temperature + (equator_temperature - scale_temperature) *
                                 std::exp(-wave_wind * wave_wind * buoyancy2 / (4 * g2) * (cos2 - 1));
}

double ground_pressure(const Vec& at) {
  const double cos2 = 1 - 2 * at.z * at.z;
  return base_pressure * std::exp(wave_wind * wave_wind / (4 * scale_temperature * gas_constant) * (cos2 - 1)) *
         std::pow(ground_temperature(at) / equator_temperature, 1 / kappa);
}

// Ullrich and others 2014.
constexpr double equator = 310, pole = 240, mean = 0.5 * (equator + pole), lapse = 0.005, exponent = 3, half_width = 2;

struct Profile {
  double tau1, tau2, integral1, integral2;
};
Profile profile(double z) {
  constexpr double b = (mean - pole) / (mean * pole);
  constexpr double c = 0.5 * (exponent + 2) * (equator - pole) / (equator * pole);
  const double scaled = z / (half_width * gas_constant * mean / earth_gravity), s2 = scaled * scaled;
  const double bell = std::exp(-s2), growth = std::exp(lapse * z / mean);
  return {growth / mean + b * (1 - 2 * s2) * bell, c * (1 - 2 * s2) * bell, (growth - 1) / lapse + b * z * bell,
          c * z * bell};
}
double shape(const Vec& at) {
  const double c = cos_latitude(at);
  return std::pow(c, exponent) - exponent / (exponent + 2) * std::pow(c, exponent + 2);
}

double balanced_temperature(const Vec& at, double z) {
  const Profile of = profile(z);
  return 1 / (of.tau1 - of.tau2 * shape(at));
}

double balanced_wind(const Vec& at, double z) {
  const double c = cos_latitude(at), turn = earth_rotation * earth_radius * c;
  const double slope = std::pow(c, exponent - 1) - std::pow(c, exponent + 1);
  const double force =
      earth_gravity / earth_radius * exponent * profile(z).integral2 * slope * balanced_temperature(at, z);
  return -turn + std::sqrt(turn * turn + earth_radius * c * force);
}

// 1 m/s within a tenth of the radius around 20 degrees east, 40 degrees north, less with height up to 15 km.
double disturbance(const Vec& at, double z) {
  constexpr double longitude = pi / 9, latitude = 2 * pi / 9, width = 0.1, highest = 15000;
  const Vec centre{std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
                   std::sin(latitude)};
  const double away = arc(at, centre) / width, up = z / highest;
  if (away >= 1 || up >= 1) return 0;
  return (1 - 3 * up * up + 2 * up * up * up) * std::exp(-away * away);
}

}  // namespace

double DryCase::temperature(const Vec& at, double z) const {
  if (kind_ == rest) return balanced_temperature({1, 0, 0}, z);  // of the equator, everywhere
  if (kind_ != gravity_wave) return balanced_temperature(at, z);
  const double growth = std::exp(buoyancy2 * z / earth_gravity);
  return scale_temperature * (1 - growth) + ground_temperature(at) * growth;
}

double DryCase::pressure(const Vec& at, double z) const {
  if (kind_ == gravity_wave) {
    const double part = scale_temperature / ground_temperature(at);
    return ground_pressure(at) * std::pow(part * std::exp(-buoyancy2 * z / earth_gravity) + 1 - part, 1 / kappa);
  }
  const Profile of = profile(z);
  const double integral = of.integral1 - of.integral2 * shape(kind_ == rest ? Vec{1, 0, 0} : at);
  return base_pressure * std::exp(-earth_gravity / gas_constant * integral);
}

double DryCase::warmer(const Vec& at, double z) const {
  if (kind_ != gravity_wave) return 0;
  constexpr double width = 5000, wave_length = 20000;
  const Vec centre{std::cos(2 * pi / 3), std::sin(2 * pi / 3), 0};
  const double away = radius() * arc(at, centre);
  const double potential = width * width / (width * width + away * away) * std::sin(2 * pi * z / wave_length);
  return potential * std::pow(pressure(at, z) / base_pressure, kappa);
}

Vec DryCase::velocity(const Vec& at, double z) const {
  if (kind_ == rest) return {};
  if (kind_ == gravity_wave) return eastward(at, wave_wind * cos_latitude(at));
  const double more = kind_ == baroclinic_wave ? disturbance(at, z) : 0;
  return eastward(at, balanced_wind(at, z) + more);
}

double DryCase::tracer(const Vec& at, double z) const {
  const Vec centre{std::cos(0.5), std::sin(0.5), 0};
  const double away = arc(at, unit(centre + Vec{0, 0, 0.5})), up = (z / top() - 0.3) / 0.3;
  return std::max(0.0, 1 - away * away * 1.5 - up * up);
}

}  // namespace atmosphere
