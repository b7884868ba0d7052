#include "cases.hpp"

#include <algorithm>
#include <numbers>

namespace atmosphere {

namespace {

using std::numbers::pi;

constexpr double turn_speed = 2 * pi * earth_radius / (12 * day);  // u0 of cases 1 and 2
constexpr double mountain_speed = 20;                              // u0 of case 5

struct Place {
  double longitude, latitude;
};
Place place_of(const Vec& at) { return {std::atan2(at.y, at.x), std::asin(std::clamp(at.z, -1.0, 1.0))}; }

Vec at_place(double longitude, double latitude) {
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
}

Vec east_north(const Vec& at, double east, double north) {
  const auto [longitude, latitude] = place_of(at);
  const Vec e{-std::sin(longitude), std::cos(longitude), 0};
  const Vec n{-std::sin(latitude) * std::cos(longitude), -std::sin(latitude) * std::sin(longitude), std::cos(latitude)};
  return e * east + n * north;
}

// Case 6: eqs. (136) to (149) of the paper.
constexpr double wave_number = 4, omega = 7.848e-6, k_wave = 7.848e-6, wave_height = 8000;

double wave_height_at(const Vec& at) {
  const auto [longitude, latitude] = place_of(at);
  const double c = std::cos(latitude), r = wave_number, c2 = c * c, cr = std::pow(c, 2 * r);
  const double a = 0.5 * omega * (2 * earth_rotation + omega) * c2 +
                   0.25 * k_wave * k_wave * cr * ((r + 1) * c2 + (2 * r * r - r - 2) - 2 * r * r / c2);
  const double b = 2 * (earth_rotation + omega) * k_wave / ((r + 1) * (r + 2)) * std::pow(c, r) *
                   ((r * r + 2 * r + 2) - (r + 1) * (r + 1) * c2);
  const double d = 0.25 * k_wave * k_wave * cr * ((r + 1) * c2 - (r + 2));
  const double a2 = earth_radius * earth_radius;
  return wave_height + a2 * (a + b * std::cos(r * longitude) + d * std::cos(2 * r * longitude)) / earth_gravity;
}

Vec wave_velocity_at(const Vec& at) {
  const auto [longitude, latitude] = place_of(at);
  const double c = std::cos(latitude), s = std::sin(latitude), r = wave_number;
  const double power = std::pow(c, r - 1);
  const double east =
      earth_radius * omega * c + earth_radius * k_wave * power * (r * s * s - c * c) * std::cos(r * longitude);
  const double north = -earth_radius * k_wave * r * power * s * std::sin(r * longitude);
  return east_north(at, east, north);
}

}  // namespace

Vec Williamson::axis() const { return {-std::sin(tilt_), 0, std::cos(tilt_)}; }

double Williamson::height(const Vec& at) const {
  if (case_ == Case::bell) {
    const double distance = arc(at, at_place(1.5 * pi, 0)), width = 1.0 / 3;
    return distance < width ? 500 * (1 + std::cos(pi * distance / width)) : 0;
  }
  if (case_ == Case::wave) return wave_height_at(at);
  const double speed = case_ == Case::steady ? turn_speed : mountain_speed;
  const double level = case_ == Case::steady ? 2.94e4 : 5960 * earth_gravity;
  const double up = dot(at, case_ == Case::steady ? axis() : Vec{0, 0, 1});
  const double surface = level - (earth_radius * earth_rotation * speed + 0.5 * speed * speed) * up * up;
  return surface / earth_gravity - ground(at);
}

double Williamson::ground(const Vec& at) const {
  if (case_ != Case::mountain) return 0;
  const auto [longitude, latitude] = place_of(at);
  const double width = pi / 9, east = std::remainder(longitude - 1.5 * pi, 2 * pi), north = latitude - pi / 6;
  return 2000 * (1 - std::min(width, std::hypot(east, north)) / width);
}

Vec Williamson::velocity(const Vec& at) const {
  if (case_ == Case::wave) return wave_velocity_at(at);
  if (case_ == Case::mountain) return cross(Vec{0, 0, 1}, at) * mountain_speed;
  return cross(axis(), at) * turn_speed;
}

double Williamson::coriolis(const Vec& at) const {
  return 2 * earth_rotation * dot(at, case_ == Case::steady ? axis() : Vec{0, 0, 1});
}

double Williamson::exact_height(const Vec& at, double seconds) const {
  if (case_ == Case::steady) return height(at);
  // Turned back by the angle of the flow (Rodrigues).
  const double angle = -turn_speed / earth_radius * seconds;
  const Vec k = axis();
  const Vec before = at * std::cos(angle) + cross(k, at) * std::sin(angle) + k * (dot(k, at) * (1 - std::cos(angle)));
  return height(before);
}

}  // namespace atmosphere
