// The Hamiltonian: stencil against its definition, Hermiticity, plane waves.
#include "numerics/dft/hamiltonian.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "base/random.hpp"

using namespace tenken;
using namespace tenken::dft;

namespace {

std::vector<Complex> random_band(std::int64_t n, std::uint64_t stream) {
  const RandomStream random(5, stream);
  std::vector<Complex> band;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::uint64_t>(2 * i);
    band.emplace_back(random.uniform(at) - 0.5, random.uniform(at + 1) - 0.5);
  }
  return band;
}

Complex product(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  Complex sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

}  // namespace

TEST_CASE("rows and points give the same, on grids down to 5 points") {
  for (const std::array<int, 3>& points : {std::array{5, 6, 7}, {16, 8, 5}, {9, 5, 16}}) {
    const Grid grid{points, {4.0, 5.0, 6.5}};
    const std::int64_t n = grid.size();
    const Stencil stencil(grid, {0.3, -0.7, 1.1});
    const std::vector<Complex> in = random_band(n, 1);
    std::vector<double> potential;
    for (const Complex& v : random_band(n, 2)) potential.push_back(10 * v.real());
    std::vector<Complex> rows(in.size()), plain(in.size());
    apply_rows(stencil, potential.data(), in.data(), rows.data());
    apply_plain(stencil, potential.data(), in.data(), plain.data());
    double scale = 0;
    for (const Complex& value : plain) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < in.size(); ++i) CHECK(std::abs(rows[i] - plain[i]) < 1e-14 * scale);
  }
}

TEST_CASE("plane waves are eigenfunctions, and the exact kinetic energy is met to 8th order") {
  const Grid grid{{10, 12, 14}, {5, 6, 7}};
  const Vector k{0.2, 0.1, -0.4};
  const Stencil stencil(grid, k);
  const std::vector<double> none(static_cast<std::size_t>(grid.size()));
  const double largest = largest_kinetic(stencil);
  for (const std::array<int, 3>& g : {std::array{0, 0, 0}, {1, 0, 0}, {-2, 1, 3}, {5, 6, 7}, {4, -3, -6}}) {
    std::vector<Complex> wave, out(none.size());
    for (int x = 0; x < grid.points[0]; ++x)
      for (int y = 0; y < grid.points[1]; ++y)
        for (int z = 0; z < grid.points[2]; ++z)
          wave.push_back(std::polar(1.0, 2 * std::numbers::pi * (g[0] * x / 10.0 + g[1] * y / 12.0 + g[2] * z / 14.0)));
    const double value = kinetic_of_plane_wave(stencil, g);
    CHECK(value <= largest * (1 + 1e-14));
    apply_rows(stencil, none.data(), wave.data(), out.data());
    for (std::size_t i = 0; i < wave.size(); ++i) CHECK(std::abs(out[i] - value * wave[i]) < 1e-13 * largest);
  }
  const auto error = [&](int n) {
    const Stencil finer(Grid{{n, n, n}, {5, 5, 5}}, k);
    double exact = 0;
    for (std::size_t d = 0; d < 3; ++d) exact += std::pow(k[d] + (d == 0 ? 2 * std::numbers::pi / 5 : 0), 2) / 2;
    return std::abs(kinetic_of_plane_wave(finer, {1, 0, 0}) - exact);
  };
  CHECK(std::log2(error(10) / error(20)) == doctest::Approx(8).epsilon(0.05));
}

TEST_CASE("the Hamiltonian is Hermitian at any K, its non-local part included") {
  Input input = example("si");
  input.grid.points = {12, 12, 12};
  const System system = make_system(input);
  const std::int64_t n = system.grid.size();
  for (const Vector& k : {Vector{0, 0, 0}, {0.31, -0.12, 0.77}}) {
    const Hamiltonian h(system, k, {});
    const std::vector<Complex> a = random_band(n, 1), b = random_band(n, 2);
    std::vector<Complex> ha(a.size()), hb(a.size()), nonlocal(a.size());
    h.apply(system.local_potential.data(), a.data(), ha.data());
    h.apply(system.local_potential.data(), b.data(), hb.data());
    const double scale = std::sqrt(std::norm(product(ha, ha)));
    CHECK(std::abs(product(a, hb) - std::conj(product(b, ha))) < 1e-12 * std::sqrt(scale));
    h.nonlocal().add(b.data(), nonlocal.data());
    const double energy = (product(b, nonlocal) * system.grid.point_volume()).real();
    CHECK(h.nonlocal().energy(b.data()) == doctest::Approx(energy).epsilon(1e-12));
    CHECK(std::abs(energy) > 1e-3);
  }
}

TEST_CASE("a shift of K by a reciprocal vector is a change of phase") {
  Input input = example("si");
  input.grid.points = {12, 12, 12};
  const System system = make_system(input);
  const double g = 2 * std::numbers::pi / system.grid.cell[2];
  const Nonlocal here(system, {0.1, 0.2, 0.3}), there(system, {0.1 + g, 0.2 - g, 0.3 + 2 * g});
  std::vector<Complex> u = random_band(system.grid.size(), 1), turned = u;
  for (int i = 0; i < 12 * 12 * 12; ++i) {
    const double turns = (i / 144 - i / 12 % 12 + 2 * (i % 12)) / 12.0;
    turned[static_cast<std::size_t>(i)] *= std::polar(1.0, -2 * std::numbers::pi * turns);
  }
  CHECK(here.energy(u.data()) == doctest::Approx(there.energy(turned.data())).epsilon(1e-12));
  CHECK(std::abs(here.energy(u.data()) - there.energy(u.data())) > 1e-4);
}
