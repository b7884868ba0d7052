#include "layers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenken::seismic {

namespace {

// 0 to 1; layers begin in the middle between two cells.
double depth_in_layer(const std::array<int, 2>& layers, int n, double position) {
  const double lower = layers[0] > 0 ? (layers[0] - 0.5 - position) / layers[0] : 0;
  const double upper = layers[1] > 0 ? (position - (n - layers[1] - 0.5)) / layers[1] : 0;
  return std::clamp(std::max(lower, upper), 0.0, 1.0);
}

}  // namespace

std::array<int, 2> layers_at(const Problem& p, std::size_t d) {
  if (p.absorb == Absorb::none || p.periodic || (d > 0 && p.sides != Sides::all)) return {0, 0};
  return {d == 2 && p.surface ? 0 : p.layer, p.sides == Sides::lower_x ? 0 : p.layer};
}

std::array<double, 3> damping_at(const Problem& p, std::size_t d, double position) {
  double depth = depth_in_layer(layers_at(p, d), p.cells[d], position);
  if (p.everywhere && d < 2) depth = std::max(depth, 0.2);
  if (depth == 0 || p.absorb != Absorb::pml) return {1, 0, 0};
  // Reflection that a layer of N cells is made for: F. Collino, C. Tsogka, Geophysics 66, 2001, 294.
  const double reflection = std::pow(10, -(std::log10(p.layer) - 1) / std::log10(2.0) - 3);
  constexpr double stretch = 2;  // greatest kappa
  const double strength = -1.5 * p.fastest() * std::log(reflection) / (p.layer * p.h) * depth * depth;
  const double kappa = 1 + (stretch - 1) * depth * depth;
  const double alpha = std::numbers::pi * p.pulse.highest_frequency() / 2 * (1 - depth);
  const double b = std::exp(-(strength / kappa + alpha) * p.dt);
  return {1 / kappa, strength / (kappa * (strength + kappa * alpha)) * (b - 1), b};
}

double sponge_at(const Problem& p, std::size_t d, double position) {
  if (p.absorb != Absorb::sponge) return 1;
  const double exponent = 0.3 * depth_in_layer(layers_at(p, d), p.cells[d], position);
  return std::exp(-exponent * exponent);
}

}  // namespace tenken::seismic
