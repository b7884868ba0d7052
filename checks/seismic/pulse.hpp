// Time functions of sources: from 0 to `duration`, area 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenken::seismic {

enum class Shape { kuepper, herrmann, cosine, triangle };

struct Pulse {
  Shape shape = Shape::kuepper;
  double duration = 1;  // s

  // Above 2 / duration little is left.
  double highest_frequency() const { return 2 / duration; }

  double operator()(double t) const { return inside(t) ? value(t / duration) / duration : 0; }
  double slope(double t) const { return inside(t) ? derivative(t / duration) / (duration * duration) : 0; }
  // From the beginning to t.
  double integral(double t) const { return area(std::clamp(t / duration, 0.0, 1.0)); }

 private:
  static constexpr double pi = std::numbers::pi;
  bool inside(double t) const { return t > 0 && t < duration; }

  // Of a duration of 1. K. Aki, P. Richards, Quantitative Seismology; R. B. Herrmann, Bull. Seism. Soc. Am. 69, 1979.
  double value(double x) const {
    const double y = std::min(x, 1 - x);
    switch (shape) {
      case Shape::kuepper:
        return 0.75 * pi * std::pow(std::sin(pi * x), 3);
      case Shape::herrmann:
        return y < 0.25 ? 16 * y * y : 2 - 16 * (y - 0.5) * (y - 0.5);
      case Shape::cosine:
        return 1 - std::cos(2 * pi * x);
      default:
        return 4 * y;
    }
  }
  double derivative(double x) const {
    const double y = std::min(x, 1 - x), sign = x < 0.5 ? 1 : -1;
    switch (shape) {
      case Shape::kuepper:
        return 2.25 * pi * pi * std::pow(std::sin(pi * x), 2) * std::cos(pi * x);
      case Shape::herrmann:
        return sign * (y < 0.25 ? 32 * y : 32 * (0.5 - y));
      case Shape::cosine:
        return 2 * pi * std::sin(2 * pi * x);
      default:
        return 4 * sign;
    }
  }
  double area(double x) const {
    const double y = std::min(x, 1 - x), c = std::cos(pi * x);
    double part = 0;  // up to y, of shapes that are symmetric
    switch (shape) {
      case Shape::kuepper:
        return 0.75 * (c * c * c / 3 - c + 2.0 / 3);
      case Shape::cosine:
        return x - std::sin(2 * pi * x) / (2 * pi);
      case Shape::herrmann:
        part = y < 0.25 ? 16 * y * y * y / 3 : 1.0 / 12 + 2 * (y - 0.25) - 16.0 / 3 * (std::pow(y - 0.5, 3) + 1.0 / 64);
        break;
      default:
        part = 2 * y * y;
    }
    return x < 0.5 ? part : 1 - part;
  }
};

}  // namespace tenken::seismic
