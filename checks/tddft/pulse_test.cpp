#include "pulse.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tenken::tddft;

TEST_CASE("pulses start and end at zero, and esin2sin is the integral of its field") {
  const double w = 0.3, length = 60;
  for (const Shape shape : {Shape::asin2cos, Shape::esin2sin, Shape::two}) {
    const Pulse p{shape, 0.02, w, length, 70};
    CHECK(p.a(0) == 0);
    CHECK(std::abs(p.a(p.end() - 1e-9)) < 1e-10);
    CHECK(p.a(p.end()) == 0);
    CHECK(p.a(p.end() + 5) == 0);
  }
  const Pulse p{Shape::esin2sin, 0.02, w, length, 0};
  // The ramp x^2 (3 - 2 x) adds its own field, 6 x (1 - x) / T times what is left at the end.
  const double left = [&] {
    double sum = 0;
    constexpr int n = 20000;
    for (int i = 0; i < n; ++i) {
      const double t = (i + 0.5) * length / n, envelope = std::sin(std::numbers::pi * t / length);
      sum += 0.02 * envelope * envelope * std::sin(w * t) * length / n;
    }
    return sum;
  }();
  for (const double t : {7.0, 20.0, 33.0, 55.0}) {
    const double step = 1e-4, x = t / length, envelope = std::sin(std::numbers::pi * x);
    const double field = -(p.a(t + step) - p.a(t - step)) / (2 * step);
    CHECK(
        field ==
        doctest::Approx(0.02 * envelope * envelope * std::sin(w * t) - left * 6 * x * (1 - x) / length).epsilon(1e-6));
  }
}

TEST_CASE("asin2cos peaks in the middle with the field's amplitude over the frequency") {
  const Pulse p{Shape::asin2cos, 0.02, 0.3, 60, 0};
  CHECK(p.a(30) == doctest::Approx(-0.02 / 0.3));
  const Pulse two{Shape::two, 0.02, 0.3, 60, 70};
  CHECK(two.a(100) == doctest::Approx(-0.02 / 0.3));
  CHECK(two.end() == 130);
}

TEST_CASE("a step is constant from the start") {
  const Pulse p{Shape::step, 0.005, 0, 0, 0};
  CHECK(p.a(0) == 0.005);
  CHECK(p.a(1000) == 0.005);
  CHECK(p.a(-1) == 0);
}
