// Exact waves of a source in a homogeneous full space (K. Aki, P. Richards, Quantitative Seismology, 2nd edition,
// equations 4.23 and 4.33): velocities, of a force that follows the pulse, and of an explosion whose moment rate does.
#pragma once

#include <array>

#include "problem.hpp"

namespace tenken::seismic {

using Point = std::array<double, 3>;  // km, from the source

// v_r = [M'(t - r/a) / r^2 + M''(t - r/a) / (a r)] / (4 pi rho a^2), M' = moment x pulse, along `component`, in km/s.
double explosion(const Material& material, const Pulse& pulse, double moment, const Point& at, int component, double t);

// Along `component`, of a force along `axis`.
double point_force(const Material& material, const Pulse& pulse, double force, int axis, const Point& at, int component,
                   double t);

}  // namespace tenken::seismic
