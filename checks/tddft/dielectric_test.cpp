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

TEST_CASE("a current that stays does not enter the dielectric function") {
  Response response = lorentz(20000, 0.1);
  CHECK(std::abs(response.constant_part()) < 1e-3);
  const double part = 0.05, first = response.current[0];
  for (double& current : response.current) current += part * first;
  CHECK(std::abs(response.constant_part() - part / (1 + part)) < 2e-3);
  for (const double w : {0.02, 0.1, 0.14, 0.15, 0.17, 0.4}) {
    const std::complex<double> expected =
        1.0 + plasma * plasma / std::complex<double>(resonance * resonance - w * w, -damping * w);
    CHECK(std::abs(response.epsilon(w) - expected) < 2e-3 * std::abs(expected));
  }
}

TEST_CASE("epsilon at zero is the static limit, also of a run of few periods") {
  const double expected = 1 + plasma * plasma / (resonance * resonance);
  CHECK(std::abs(lorentz(20000, 0.1).epsilon_at_zero() / expected - 1) < 5e-3);
  CHECK(std::abs(lorentz(2000, 0.1).epsilon_at_zero() / expected - 1) < 1e-2);
}

TEST_CASE("the spectrum holds all electrons, below a cut at which steps of time do not repeat it") {
  const Response free{std::vector<double>(4001, 0.02 * 0.003), 0.003, 0.1};
  CHECK(std::abs(free.sum_rule(1) - 1) < 1e-2);
  CHECK(std::abs(free.conductivity(0.5)) < 1e-3);
  const Response response = lorentz(20000, 0.1);
  CHECK(std::abs(response.sum_rule(3) - 1) < 1e-2);
  CHECK(response.sum_rule(0.15) < 0.7);
  CHECK(sum_rule_cut(0.02) == 25);
  for (const double dt : {0.25, 0.3, 0.45}) {
    CHECK(sum_rule_cut(dt) < 0.51 * std::numbers::pi / dt);
    const Response coarse = lorentz(20000, dt);
    CHECK(std::abs(coarse.sum_rule(sum_rule_cut(dt)) - 1) < 1e-2);
  }
  CHECK(std::abs(lorentz(20000, 0.25).sum_rule(25) - 1) > 0.5);
}
