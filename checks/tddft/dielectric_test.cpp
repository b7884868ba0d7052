#include "dielectric.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tenken::tddft;

namespace {

constexpr double plasma = 0.6, resonance = 0.15, damping = 0.02;  // of a Lorentz medium, Hartree

// Its current after a step of A: sigma(t) A.
Response lorentz(double length, double dt) {
  const double v = std::sqrt(resonance * resonance - damping * damping / 4);
  Response response{{}, 0.003, dt};
  for (double t = 0; t < length; t += dt) {
    response.current.push_back(response.a * plasma * plasma / (4 * std::numbers::pi) * std::exp(-damping * t / 2) *
                               (std::cos(v * t) - damping / (2 * v) * std::sin(v * t)));
  }
  return response;
}

}  // namespace

TEST_CASE("a Lorentz medium has its dielectric function") {
  const Response response = lorentz(20000, 0.1);
  for (const double w : {0.02, 0.1, 0.14, 0.15, 0.17, 0.4}) {
    const std::complex<double> expected =
        1.0 + plasma * plasma / std::complex<double>(resonance * resonance - w * w, -damping * w);
    CHECK(std::abs(response.epsilon(w) - expected) < 2e-3 * std::abs(expected));
  }
}

TEST_CASE("electrons that nothing holds answer as a plasma, and the spectrum holds all of them") {
  const Response free{std::vector<double>(4001, 0.02 * 0.003), 0.003, 0.1};
  CHECK(free.epsilon(0.5).real() == doctest::Approx(1 - 4 * std::numbers::pi * 0.02 / 0.25).epsilon(1e-3));
  CHECK(free.sum_rule(1) == doctest::Approx(1).epsilon(1e-2));
  const Response response = lorentz(20000, 0.1);
  CHECK(response.sum_rule(3) == doctest::Approx(1).epsilon(1e-2));
  CHECK(response.sum_rule(0.15) < 0.7);
}
