// Pseudopotentials, exchange and correlation, Ewald sums: against closed forms and published numbers.
#include "numerics/dft/pseudopotential.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "numerics/dft/ewald.hpp"
#include "numerics/dft/filter.hpp"
#include "numerics/dft/ions.hpp"
#include "numerics/dft/xc.hpp"

using namespace tenken;
using namespace tenken::dft;
using std::numbers::pi;

namespace {

// Simpson's rule from 0 to `last` in an even number of steps, where f is 0 at 0.
template <class F>
double integral(double last, int steps, const F& f) {
  double sum = 0;
  for (int i = 1; i <= steps; ++i) sum += f(last * i / steps) * (i == steps ? 1 : i % 2 == 1 ? 4 : 2);
  return sum * last / steps / 3;
}

}  // namespace

TEST_CASE("projectors are normalised, and their channels stand for the published coefficients") {
  for (const auto& [l, i] : {std::pair{0, 1}, {0, 2}, {0, 3}, {1, 1}, {1, 3}, {2, 1}, {2, 2}}) {
    const double norm =
        integral(12, 4000, [&, l = l, i = i](double r) { return std::pow(radial_projector(l, i, 0.45, r) * r, 2); });
    CHECK(norm == doctest::Approx(1).epsilon(1e-12));
    for (const double g : {0.4, 2.5}) {
      const double plain = integral(12, 4000, [&, l = l, i = i](double r) {
        return radial_projector(l, i, 0.45, r) * std::sph_bessel(static_cast<unsigned>(l), g * r) * r * r;
      });
      CHECK(std::abs(std::pow(g, l) * projector_of_g(l, i, 0.45, g) - plain) < 1e-11);
    }
  }
  // h11 -1.26189397 (h12) 3.25819622 of silicon, as printed.
  const std::vector<Channel> silicon = channels(pseudopotential("Si"));
  REQUIRE(silicon.size() == 3);
  double h[2][2]{};
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        h[i][j] += silicon[c].strength * silicon[c].mixture[i] * silicon[c].mixture[j];
  CHECK(h[0][0] == doctest::Approx(5.90692831).epsilon(1e-12));
  CHECK(std::abs(h[0][1] + 1.26189397) < 1e-8);
  CHECK(h[1][0] == doctest::Approx(h[0][1]).epsilon(1e-12));
  CHECK(h[1][1] == doctest::Approx(3.25819622).epsilon(1e-12));
  CHECK(channels(pseudopotential("H")).empty());
}

TEST_CASE("the local potential is the same in both spaces") {
  for (const char* element : {"H", "C", "O", "Si"}) {
    const Pseudopotential& ion = pseudopotential(element);
    // What differs from Coulomb's is short-ranged: its transform is that of -Z/r away.
    const auto beyond = [&](double r) { return local_of_r(ion, r) + ion.charge / r; };
    const double zero = integral(14, 40000, [&](double r) { return 4 * pi * r * r * beyond(r); });
    CHECK(std::abs(zero - local_at_zero(ion)) < 1e-7);
    for (const double g : {0.3, 1.0, 4.0}) {
      const double at = integral(14, 40000, [&](double r) { return 4 * pi * r * std::sin(g * r) / g * beyond(r); });
      CHECK(std::abs(at - 4 * pi * ion.charge / (g * g) - local_of_g(ion, g)) < 1e-7);
    }
  }
}

TEST_CASE("an element without a pseudopotential is refused by name") {
  CHECK_THROWS_WITH_AS(pseudopotential("Xx"), "element 'Xx' has no pseudopotential here; use one of H, C, O, Si",
                       UserError);
}

TEST_CASE("beyond their radius projectors are below the cut, and just within it one is not") {
  for (const char* element : {"C", "O", "Si"}) {
    const Pseudopotential& ion = pseudopotential(element);
    const double radius = projector_radius(ion, 1e-6);
    double largest = 0;
    for (const Channel& channel : channels(ion)) {
      double maximum = 0;
      for (int i = 0; i < 10000; ++i) maximum = std::max(maximum, std::abs(channel.at(i * 1e-3)));
      for (int i = 0; i < 1000; ++i) CHECK(std::abs(channel.at(radius + i * 1e-2)) < 1e-6 * maximum);
      largest = std::max(largest, std::abs(channel.at(radius * 0.98)) / maximum);
    }
    CHECK(largest > 1e-6);
  }
}

TEST_CASE("three projectors mix to channels of the same operator") {
  Pseudopotential ion;
  ion.of_l[2] = {0.5, {{{3, -1, 0.4}, {-1, 2, 0.7}, {0.4, 0.7, -1.5}}}};
  std::array<std::array<double, 3>, 3> sum{};
  for (const Channel& channel : channels(ion)) {
    CHECK(channel.l == 2);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) sum[i][j] += channel.strength * channel.mixture[i] * channel.mixture[j];
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(sum[i][j] - ion.of_l[2].h[i][j]) < 1e-12);
}

TEST_CASE("harmonics are orthonormal on the sphere") {
  const auto harmonic = [](std::size_t i, const Vector& r) {  // 0: l = 0; 1 to 3: l = 1; then l = 2
    return i == 0 ? solid_harmonic(0, 0, r) : i < 4 ? solid_harmonic(1, i - 1, r) : solid_harmonic(2, i - 4, r);
  };
  for (std::size_t a = 0; a < 9; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      constexpr int turns = 8;
      double sum = 0;
      for (int i = 0; i < turns; ++i) {
        const double phi = 2 * pi * i / turns;
        sum += integral(2, 400,
                        [&](double s) {
                          const double z = s - 1, across = std::sqrt(std::max(0.0, 1 - z * z));
                          const Vector r{across * std::cos(phi), across * std::sin(phi), z};
                          return harmonic(a, r) * harmonic(b, r);
                        }) *
               2 * pi / turns;
        const Vector pole{0, 0, -1};  // Simpson's rule above leaves out its first point
        sum += harmonic(a, pole) * harmonic(b, pole) * 2.0 / 400 / 3 * 2 * pi / turns;
      }
      CHECK(std::abs(sum - (a == b ? 1 : 0)) < 1e-8);
    }
}

namespace {

// The points of a large cell around an atom at `position`, and the filtered projectors of silicon there.
struct Around {
  Around(const Vector& h, const Vector& position, const std::vector<Channel>& shapes, double radius) {
    const Grid grid{{40, 40, 40}, {40 * h[0], 40 * h[1], 40 * h[2]}};
    for (int x = 0; x < 40; ++x)
      for (int y = 0; y < 40; ++y)
        for (int z = 0; z < 40; ++z) {
          const Vector r{x * h[0] - position[0], y * h[1] - position[1], z * h[2] - position[2]};
          if (std::hypot(r[0], r[1], r[2]) < radius) offset.push_back(r);
        }
    value = filtered_projectors(grid, position, shapes, radius, offset, false).value;
  }
  std::vector<Vector> offset;
  std::vector<double> value;
};

// The filtered radial part where all axes have one spacing, by plain sums over r and g.
double filtered_radial(const Channel& channel, double spacing, double r) {
  constexpr int steps = 400, steps_of_r = 120;
  const double dg = 8 / channel.radius / steps, dr = 10 * channel.radius / steps_of_r;
  const auto bessel = [&](double x) { return std::sph_bessel(static_cast<unsigned>(channel.l), x); };
  double sum = 0;
  for (int i = 1; i <= steps; ++i) {
    const double g = i * dg, beyond = std::max(0.0, g * spacing / pi - 1.2) / 0.4;
    double transform = 0;
    for (int j = 1; j <= steps_of_r; ++j) transform += j * dr * j * dr * channel.at(j * dr) * bessel(g * j * dr) * dr;
    sum += 2 / pi * g * g * transform * std::exp(-beyond * beyond) * dg * bessel(g * r);
  }
  return sum;
}

}  // namespace

TEST_CASE("with one spacing a filtered projector is the radial one of plain sums; without folding it is as before") {
  const std::vector<Channel> shapes = channels(pseudopotential("Si"));
  for (const double h : {0.64, 0.25}) {
    const Around near({h, h, h}, {20 * h + 0.11, 20 * h - 0.2, 20 * h + 0.07}, shapes, h > 0.5 ? 2.7 : 0.5);
    std::size_t first = 0;
    for (const Channel& shape : shapes) {
      double largest = 0;
      for (std::size_t i = 0; i < near.offset.size(); i += near.offset.size() / 7) {
        const Vector& r = near.offset[i];
        const double length = std::hypot(r[0], r[1], r[2]);
        const double angle = solid_harmonic(shape.l, 0, r) / std::pow(length, shape.l);
        const double radial = h > 0.5 ? filtered_radial(shape, h, length) : shape.at(length);
        CHECK(std::abs(near.value[first + i] - angle * radial) < (h > 0.5 ? 2e-5 : 1e-9));
        largest = std::max(largest, std::abs(angle) * std::abs(radial - shape.at(length)));
      }
      if (h > 0.5 && shape.l == 0) CHECK(largest > 1e-3);
      first += static_cast<std::size_t>(2 * shape.l + 1) * near.offset.size();
    }
  }
}

// What folds back makes the norm of a projector on the grid depend on where the atom lies between points.
TEST_CASE("each axis filters by its spacing: fine points along z neither help nor harm x and y") {
  const std::vector<Channel> shapes{channels(pseudopotential("O")).front()};
  const auto change = [&](const Vector& h, std::size_t axis) {
    double least = 1e9, most = 0;
    for (const double shift : {0.0, 0.25, 0.5}) {
      Vector position{20 * h[0], 20 * h[1], 20 * h[2]};
      position[axis] += shift * h[axis];
      const Around near(h, position, shapes, 3);
      double norm = 0;
      for (const double value : near.value) norm += value * value * h[0] * h[1] * h[2];
      least = std::min(least, norm);
      most = std::max(most, norm);
    }
    return (most - least) / most;
  };
  const double coarse = change({0.46, 0.46, 0.46}, 0), fine = change({0.2, 0.2, 0.2}, 2);
  const Vector quartz{0.46, 0.46, 0.2};
  MESSAGE("change of the norm: " << coarse << " at 0.46, " << fine << " at 0.2 Bohr; of both, " << change(quartz, 0)
                                 << " along x and " << change(quartz, 2) << " along z");
  CHECK(change(quartz, 0) < 1.25 * coarse);  // 1.64 with the cube root of the volume of a point as spacing
  CHECK(change(quartz, 2) < 1e-3);
}

TEST_CASE("exchange and correlation have the published values, and potentials are derivatives") {
  const auto at = [](Functional f, double rs) { return exchange_correlation(f, 3 / (4 * pi * rs * rs * rs)); };
  constexpr double exchange = -0.4581652932831429;  // times 1/rs
  // Perdew and Zunger's fit: gamma / (1 + beta1 sqrt(rs) + beta2 rs) at 4, and A ln rs + B + C rs ln rs + D rs at 1/2.
  CHECK(at(Functional::perdew_zunger, 4).energy ==
        doctest::Approx(exchange / 4 - 0.1423 / (1 + 1.0529 * 2 + 0.3334 * 4)).epsilon(1e-14));
  CHECK(at(Functional::perdew_zunger, 0.5).energy ==
        doctest::Approx(exchange / 0.5 - 0.0311 * std::log(2.0) - 0.048 - 0.0010 * std::log(2.0) - 0.0058)
            .epsilon(1e-14));
  // Both of its branches meet at 1, to the digits of their parameters.
  CHECK(std::abs(at(Functional::perdew_zunger, 1 - 1e-9).energy - exchange + 0.0596) < 1e-8);
  CHECK(std::abs(at(Functional::perdew_zunger, 1 + 1e-9).energy - exchange + 0.0596) < 5e-5);
  for (const Functional f : {Functional::perdew_zunger, Functional::pade}) {
    for (const double density : {0.001, 0.03, 0.2, 0.4, 3.0}) {
      const double d = density * 1e-4;
      const auto total = [&](double n) { return n * exchange_correlation(f, n).energy; };
      const double slope =
          (8 * (total(density + d) - total(density - d)) - total(density + 2 * d) + total(density - 2 * d)) / (12 * d);
      CHECK(exchange_correlation(f, density).potential == doctest::Approx(slope).epsilon(1e-10));
    }
    CHECK(exchange_correlation(f, 0).energy == 0);
    CHECK(exchange_correlation(f, -1).potential == 0);
  }
  // Two fits of one electron gas.
  for (const double rs : {0.7, 1.5, 3.0, 8.0})
    CHECK(std::abs(at(Functional::pade, rs).energy - at(Functional::perdew_zunger, rs).energy) < 1.5e-3);
  CHECK(functional_from("pade") == Functional::pade);
  CHECK_THROWS_AS(functional_from("lda"), UserError);
}

TEST_CASE("Ewald's energy is Madelung's constant, whatever the split") {
  const Vector cube{2, 2, 2};  // rock salt, nearest neighbours at distance 1
  std::vector<Charge> salt;
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 2; ++z) salt.push_back({{1.0 * x, 1.0 * y, 1.0 * z}, (x + y + z) % 2 == 0 ? 1.0 : -1.0});
  CHECK(ewald_energy(cube, salt) == doctest::Approx(-4 * 1.747564594633182).epsilon(1e-12));
  // One charge in a background, simple cubic.
  CHECK(ewald_energy({1, 1, 1}, {{{0.2, 0.3, 0.4}, 1}}) == doctest::Approx(-2.837297479480620 / 2).epsilon(1e-12));
  const std::vector<Charge> some{{{0.1, 0.2, 0.3}, 4}, {{2.2, 0.7, 3.1}, 6}, {{1.2, 2.7, 0.1}, 1}};
  CHECK(ewald_energy({3, 4, 5}, some, 0.3) == doctest::Approx(ewald_energy({3, 4, 5}, some, 0.9)).epsilon(1e-12));
}

TEST_CASE("ions of silicon have ABINIT's energies") {
  // ABINIT 9.6.2 with the same pseudopotential, 8 atoms in a cube of 10.26 Bohr; digits as printed.
  const System system = make_system(example("si"));
  CHECK(std::abs(system.ewald_energy + 33.601859) < 1e-6);
  CHECK(std::abs(system.core_energy + 1.179571) < 1e-6);
  CHECK(system.electrons == 32);
  CHECK(system.projectors.size() == 8);
}
