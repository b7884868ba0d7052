// Operators against spherical harmonics, against a second evaluation edge by edge, and against their conservation laws.
#include "operators.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "alone.hpp"

using namespace atmosphere;

namespace {

constexpr double a = earth_radius;

// f = xyz is a spherical harmonic of degree 3, g = xy of degree 2.
double f_of(const Vec& p) { return p.x * p.y * p.z; }
double g_of(const Vec& p) { return p.x * p.y; }
Vec tangent(const Vec& p, const Vec& v) { return v - p * dot(p, v); }
Vec slope_of_f(const Vec& p) { return tangent(p, {p.y * p.z, p.x * p.z, p.x * p.y}) * (1 / a); }
Vec slope_of_g(const Vec& p) { return tangent(p, {p.y, p.x, 0}) * (1 / a); }

// Relative l2 errors of gradient, Laplacian, divergence and curl.
std::vector<double> errors(int level, bool springs) {
  const Alone on(level, springs);
  std::vector<double> f(on.size()), laplacian(on.size()), divergence(on.size()), curl(on.size());
  Vectors v(on.patch.own), turned(on.patch.own), gradient(on.patch.own);
  for (std::size_t i = 0; i < on.size(); ++i) {
    f[i] = f_of(on.at(i));
    v.set(i, slope_of_g(on.at(i)));
    turned.set(i, cross(on.at(i), slope_of_g(on.at(i))));
  }
  on.operators.gradient(f, gradient);
  on.laplacian(f, laplacian);
  on.operators.divergence(v, divergence);
  on.curl(turned, curl);
  std::vector<double> wrong(4), size(4);
  for (std::size_t i = 0; i < on.size(); ++i) {
    const Vec p = on.at(i);
    const double weight = on.operators.area(static_cast<std::int64_t>(i)), a2 = a * a;
    const Vec off = gradient.at(i) - slope_of_f(p);
    const double exact[4] = {length(slope_of_f(p)), -12 * f_of(p) / a2, -6 * g_of(p) / a2, -6 * g_of(p) / a2};
    const double by[4] = {length(off), laplacian[i] - exact[1], divergence[i] - exact[2], curl[i] - exact[3]};
    for (std::size_t k = 0; k < 4; ++k) {
      wrong[k] += weight * by[k] * by[k];
      size[k] += weight * exact[k] * exact[k];
    }
  }
  for (std::size_t k = 0; k < 4; ++k) wrong[k] = std::sqrt(wrong[k] / size[k]);
  return wrong;
}

// The Laplacian, which the filter alone uses, is first order: its flux is the mean of two slopes at corners.
TEST_CASE("gradient, divergence and curl of spherical harmonics are second order, the Laplacian is first") {
  const std::vector<double> coarse = errors(3, true), middle = errors(4, true), fine = errors(5, true);
  for (std::size_t k = 0; k < 4; ++k) {
    CAPTURE(k);
    CAPTURE(coarse[k]);
    CAPTURE(fine[k]);
    CHECK(0.5 * std::log2(coarse[k] / fine[k]) >= (k == 1 ? 1.2 : 1.8));
    CHECK(fine[k] < 0.02);
    CHECK(middle[k] < coarse[k]);
  }
}

// Twin: each edge by itself, from values at its two corners.
TEST_CASE("coefficients give the sums over edges") {
  const Alone on(3, true);
  std::vector<double> f(on.size()), divergence(on.size()), curl(on.size()), laplacian(on.size());
  Vectors v(on.patch.own), gradient(on.patch.own);
  for (std::size_t i = 0; i < on.size(); ++i) {
    const Vec p = on.at(i);
    f[i] = f_of(p) + 0.3 * p.z;
    v.set(i, Vec{std::sin(3 * p.y), p.z * p.x, std::cos(2 * p.x)} * 10);
  }
  on.operators.divergence(v, divergence);
  on.curl(v, curl);
  on.laplacian(f, laplacian);
  on.operators.gradient(f, gradient);
  // Cells of one rank stand region by region: the item of each cell.
  std::vector<std::size_t> item_of(on.size());
  for (std::size_t i = 0; i < on.size(); ++i) item_of[static_cast<std::size_t>(on.patch.cells[i])] = i;
  double most = 0;
  for (std::size_t i = 0; i < on.size(); ++i) {
    const auto cell = static_cast<std::size_t>(on.patch.cells[i]);
    const Grid::Cell& of = on.grid.cells[cell];
    double flux = 0, turn = 0, spread = 0;
    Vec slope{}, all{};
    for (int k = 0; k < of.neighbours; ++k) {
      const auto corner = [&](int at) -> const Grid::Corner& {
        return on.grid.corners[static_cast<std::size_t>(
            of.corner[static_cast<std::size_t>((at + of.neighbours) % of.neighbours)])];
      };
      Vec velocity{}, rise{};
      double height = 0;
      for (const Grid::Corner* one : {&corner(k - 1), &corner(k)}) {
        for (std::size_t m = 0; m < 3; ++m) {
          const std::size_t at = item_of[static_cast<std::size_t>(one->cell[m])];
          velocity += v.at(at) * (0.5 * one->weight[m]);
          height += 0.5 * one->weight[m] * f[at];
          rise += one->slope[m] * (0.5 * f[at] / a);
        }
      }
      const Vec along = unit(corner(k).at - corner(k - 1).at), up = unit(corner(k).at + corner(k - 1).at);
      const Vec outward = cross(along, up) * (a * arc(corner(k - 1).at, corner(k).at));
      CHECK(dot(outward, on.grid.centre[static_cast<std::size_t>(of.cell[static_cast<std::size_t>(k)])] -
                             on.grid.centre[cell]) > 0);
      flux += dot(velocity, outward);
      turn += dot(velocity, along) * length(outward);
      spread += dot(rise, outward);
      slope += outward * height;
      all += outward;
    }
    const double per = 1 / (on.grid.area[cell] * a * a);
    const Vec expected = tangent(on.at(i), (slope - all * f[i]) * per);
    most = std::max({most, a * std::abs(divergence[i] - flux * per), a * std::abs(curl[i] - turn * per),
                     a * a * std::abs(laplacian[i] - spread * per), a * length(gradient.at(i) - expected)});
  }
  CHECK(most < 1e-10);
}

TEST_CASE("no flux is lost, and a constant has neither slope nor spread") {
  for (const bool springs : {false, true}) {
    const Alone on(4, springs);
    std::vector<double> divergence(on.size()), laplacian(on.size()), ones(on.size(), 7.0), harmonic(on.size());
    Vectors v(on.patch.own), slope(on.patch.own);
    for (std::size_t i = 0; i < on.size(); ++i) {
      v.set(i, {std::sin(5 * on.at(i).y), std::cos(3 * on.at(i).x), on.at(i).z});
      harmonic[i] = f_of(on.at(i));
    }
    on.operators.divergence(v, divergence);
    on.laplacian(harmonic, laplacian);
    double flux = 0, spread = 0, size = 0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      const double weight = on.operators.area(static_cast<std::int64_t>(i));
      flux += weight * divergence[i];
      spread += weight * laplacian[i] * a;
      size += weight * std::abs(divergence[i]);
    }
    CHECK(std::abs(flux) / size < 1e-13);
    CHECK(std::abs(spread) / size < 1e-13);
    on.operators.gradient(ones, slope);
    on.laplacian(ones, laplacian);
    for (std::size_t i = 0; i < on.size(); ++i) {
      CHECK(a * length(slope.at(i)) < 1e-10);
      CHECK(a * a * std::abs(laplacian[i]) < 1e-9);
    }
  }
}

TEST_CASE("a swapped edge and a spoiled weight lose flux") {
  for (const bool swapped : {false, true}) {
    Alone on(3, true);
    if (swapped) {
      on.operators.swap_edges();
    } else {
      on.operators.spoil_weight();
    }
    std::vector<double> divergence(on.size());
    Vectors v(on.patch.own);
    for (std::size_t i = 0; i < on.size(); ++i) v.set(i, tangent(on.at(i), Vec{0.6, 0, 0.8}));  // a turn would hide it
    on.operators.divergence(v, divergence);
    double flux = 0, size = 0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      flux += on.operators.area(static_cast<std::int64_t>(i)) * divergence[i];
      size += on.operators.area(static_cast<std::int64_t>(i)) / a;
    }
    CHECK(std::abs(flux) / size > 1e-10);
  }
}

}  // namespace
