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
  for (const auto& [l, i] : {std::pair{0, 1}, {0, 2}, {1, 1}}) {
    const double norm =
        integral(12, 4000, [&, l = l, i = i](double r) { return std::pow(radial_projector(l, i, 0.45, r) * r, 2); });
    CHECK(norm == doctest::Approx(1).epsilon(1e-12));
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

TEST_CASE("a filter beyond all wave numbers changes nothing, one of a coarse grid does") {
  for (const Channel& channel : channels(pseudopotential("Si"))) {
    const FilteredChannel fine(channel, 0.05), coarse(channel, 0.6);
    double difference = 0;
    for (const double r : {0.1, 0.5, 1.0, 2.0}) {
      CHECK(std::abs(fine.at(r) - channel.at(r)) < 1e-10);
      difference = std::max(difference, std::abs(coarse.at(r) - channel.at(r)));
    }
    CHECK(difference > 1e-3);
  }
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
