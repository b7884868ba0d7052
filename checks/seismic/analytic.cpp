#include "analytic.hpp"

#include <cmath>
#include <numbers>

namespace tenken::seismic {

namespace {

double length(const Point& at) { return std::sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]); }

}  // namespace

double explosion(const Material& m, const Pulse& pulse, double moment, const Point& at, int component, double t) {
  const double r = length(at), late = t - r / m.vp;
  const double radial = moment / (4 * std::numbers::pi * m.density * m.vp * m.vp) *
                        (pulse(late) / (r * r) + pulse.slope(late) / (m.vp * r));
  return radial * at[static_cast<std::size_t>(component)] / r;
}

double point_force(const Material& m, const Pulse& pulse, double force, int axis, const Point& at, int component,
                   double t) {
  const double r = length(at), after_p = t - r / m.vp, after_s = t - r / m.vs;
  const double along = at[static_cast<std::size_t>(component)] * at[static_cast<std::size_t>(axis)] / (r * r);
  const double same = component == axis ? 1 : 0;
  // Integral of u f'(t - u) from r / vp to r / vs, by parts.
  const double between =
      r / m.vp * pulse(after_p) - r / m.vs * pulse(after_s) + pulse.integral(after_p) - pulse.integral(after_s);
  const double near = (3 * along - same) / (r * r * r) * between;
  const double far =
      along * pulse.slope(after_p) / (m.vp * m.vp * r) - (along - same) * pulse.slope(after_s) / (m.vs * m.vs * r);
  return force / (4 * std::numbers::pi * m.density) * (near + far);
}

}  // namespace tenken::seismic
