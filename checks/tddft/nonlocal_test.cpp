#include "nonlocal.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/random.hpp"
#include "numerics/dft/energies.hpp"
#include "numerics/dft/hamiltonian.hpp"
#include "observables.hpp"

using namespace tenken;
using namespace tenken::tddft;
using dft::Complex;

namespace {

dft::System silicon(std::array<int, 3> points) {
  dft::Input input = dft::example("si");
  input.grid.points = points;
  input.k_grid = {1, 1, 1};
  return dft::make_system(input);
}

using Orbital = std::vector<Complex>;

Orbital random_orbital(const dft::Grid& grid, std::uint64_t stream) {
  const RandomStream numbers(11, stream);
  Orbital u(static_cast<std::size_t>(grid.size()));
  double norm = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = {numbers.normal(2 * i), numbers.normal(2 * i + 1)};
    norm += std::norm(u[i]) * grid.point_volume();
  }
  for (Complex& x : u) x /= std::sqrt(norm);
  return u;
}

std::vector<double> block_of(const Form& form, const dft::Grid& grid, const std::vector<Orbital>& bands) {
  std::vector<double> block(static_cast<std::size_t>(form.doubles(grid)));
  for (std::int64_t p = 0; p < grid.size(); ++p) {
    double* to = block.data() + form.place(grid, p);
    for (const Orbital& u : bands) {
      *to++ = u[static_cast<std::size_t>(p)].real();
      *to++ = u[static_cast<std::size_t>(p)].imag();
    }
  }
  return block;
}

std::vector<Orbital> bands_for(const Form& form, const dft::Grid& grid) {
  std::vector<Orbital> bands;
  for (int b = 0; b < form.bands(); ++b) bands.push_back(random_orbital(grid, static_cast<std::uint64_t>(b)));
  return bands;
}

const Form forms[] = {
    {Layout::points, 16}, {Layout::bands, 32}, {Layout::bands, 64}, {Layout::points, 16, 9}, {Layout::bands, 64, 18}};
const dft::Vector k{0.21, -0.13, 0.34};

}  // namespace

TEST_CASE("the projectors of a block are those of the plain twin") {
  const dft::System system = silicon({10, 12, 9});
  const dft::Nonlocal plain(system, k);
  for (const Form& form : forms) {
    const Projectors projectors(system, form);
    Phases phases;
    phases.set(projectors, k);
    const auto bands = bands_for(form, system.grid);
    const auto in = block_of(form, system.grid, bands);
    std::vector<double> out(in.size());
    add_nonlocal(form, projectors, phases, {0.3, -0.7}, in.data(), out.data());
    std::vector<Orbital> expected;
    for (const Orbital& u : bands) {
      Orbital v(u.size());
      plain.add(u.data(), v.data());
      for (Complex& x : v) x *= Complex(0.3, -0.7);
      expected.push_back(std::move(v));
    }
    const auto block = block_of(form, system.grid, expected);
    double worst = 0, largest = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      worst = std::max(worst, std::abs(out[i] - block[i]));
      largest = std::max(largest, std::abs(block[i]));
    }
    CHECK(largest > 0.01);
    CHECK(worst < 1e-12 * largest);
  }
}

TEST_CASE("the current is the slope of the energy, and the density the sum of squares") {
  const dft::System system = silicon({10, 12, 9});
  const dft::Stencil stencil(system.grid, k);
  const std::vector<double> nothing(static_cast<std::size_t>(system.grid.size()));
  for (const Form& form : forms) {
    const Projectors projectors(system, form);
    Phases phases;
    phases.set(projectors, k);
    const auto bands = bands_for(form, system.grid);
    const auto block = block_of(form, system.grid, bands);
    const dft::Vector kinetic = kinetic_current(form, stencil, block.data());
    const dft::Vector nonlocal = nonlocal_current(form, projectors, phases, block.data());
    const auto energy = [&](const dft::Vector& at, bool of_projectors) {
      double sum = 0;
      for (const Orbital& u : bands) {
        if (of_projectors) {
          sum += dft::Nonlocal(system, at).energy(u.data());
          continue;
        }
        Orbital out(u.size());
        dft::apply_plain(dft::Stencil(system.grid, at), nothing.data(), u.data(), out.data());
        for (std::size_t p = 0; p < u.size(); ++p) {
          sum += (std::conj(u[p]) * out[p]).real() * system.grid.point_volume();
        }
      }
      return sum;
    };
    for (std::size_t d = 0; d < 3; ++d) {
      const auto slope = [&](bool of_projectors) {
        constexpr double step = 2e-3;
        const auto at = [&](double shift) {
          dft::Vector moved = k;
          moved[d] += shift;
          return energy(moved, of_projectors);
        };
        return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
      };
      CHECK(kinetic[d] == doctest::Approx(slope(false)).epsilon(1e-8));
      CHECK(nonlocal[d] == doctest::Approx(slope(true)).epsilon(1e-8));
    }
    std::vector<double> density(nothing.size());
    add_density(form, system.grid, 2, block.data(), density.data());
    for (const std::size_t p : {std::size_t{0}, density.size() / 3, density.size() - 1}) {
      double sum = 0;
      for (const Orbital& u : bands) sum += 2 * std::norm(u[p]);
      CHECK(density[p] == doctest::Approx(sum).epsilon(1e-13));
    }
  }
}
