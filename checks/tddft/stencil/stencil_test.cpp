#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "base/random.hpp"
#include "stencil/fortran.hpp"
#include "stencil/pass.hpp"
#include "this_check.hpp"

using namespace tenken;
using namespace tenken::tddft;
using dft::Complex;

namespace {

using Orbital = std::vector<Complex>;

Orbital random_orbital(std::int64_t points, std::uint64_t stream) {
  const RandomStream numbers(7, stream);
  Orbital u(static_cast<std::size_t>(points));
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = {numbers.normal(2 * i), numbers.normal(2 * i + 1)};
  return u;
}

double difference(const Orbital& a, const Orbital& b) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return worst / largest;
}

struct Problem {
  explicit Problem(std::array<int, 3> points)
      : grid{points, {9.3, 16.1, 10.2}},
        stencil(grid, {0.31, -0.22, 0.17}),
        potential(static_cast<std::size_t>(grid.size())) {
    const RandomStream numbers(3, 0);
    for (std::size_t p = 0; p < potential.size(); ++p) potential[p] = numbers.normal(p);
  }
  Orbital plain(const Orbital& u) const {
    Orbital out(u.size());
    dft::apply_plain(stencil, potential.data(), u.data(), out.data());
    return out;
  }
  std::vector<double> diagonal() const {
    std::vector<double> sum(potential.size());
    diagonal_of(stencil, potential.data(), sum.data());
    return sum;
  }
  dft::Grid grid;
  dft::Stencil stencil;
  std::vector<double> potential;
};

// A block of form.bands() orbitals in the kernel's order, not a number in its gaps.
std::vector<double> block_of(const Form& form, const dft::Grid& grid, const std::vector<Orbital>& bands) {
  std::vector<double> block(static_cast<std::size_t>(form.doubles(grid)), std::nan(""));
  for (std::int64_t p = 0; p < grid.size(); ++p) {
    for (int b = 0; b < form.bands(); ++b) {
      const Complex u = bands[static_cast<std::size_t>(b)][static_cast<std::size_t>(p)];
      double* const to = block.data() + form.place(grid, p) + 2 * b;
      to[0] = u.real();
      to[1] = u.imag();
    }
  }
  return block;
}

Orbital band_of(const Form& form, const dft::Grid& grid, const std::vector<double>& block, int band) {
  Orbital u;
  for (std::int64_t p = 0; p < grid.size(); ++p) {
    const double* const from = block.data() + form.place(grid, p) + 2 * band;
    u.emplace_back(from[0], from[1]);
  }
  return u;
}

std::vector<Form> forms(const dft::Grid& grid) {
  std::vector<Form> all;
  for (const int bytes : {16, 32, 64}) {
    for (const Layout layout : {Layout::points, Layout::bands}) {
      for (const int gap : {0, 2 * grid.points[2]}) {
        all.push_back(form_of(layout, grid, bytes));
        all.back().gap = gap;
      }
    }
  }
  return all;
}

const std::array<int, 3> sizes[] = {{16, 16, 16}, {5, 9, 12}, {4, 4, 4}, {7, 6, 13}, {9, 5, 22}, {5, 4, 8}};

}  // namespace

TEST_CASE("every width, layout and prefetch applies the stencil of the plain twin") {
  for (const auto& size : sizes) {
    const Problem problem(size);
    for (const Form& form : forms(problem.grid)) {
      std::vector<Orbital> in;
      for (int b = 0; b < form.bands(); ++b)
        in.push_back(random_orbital(problem.grid.size(), static_cast<std::uint64_t>(b)));
      const auto block = block_of(form, problem.grid, in);
      for (const int rows : {1, 3, 4}) {
        std::vector<double> out(block.size()), scratch(scratch_doubles(problem.grid, form));
        stencil_explicit(form, Store::apply, problem.stencil, problem.diagonal().data(), block.data(),
                         {.out = out.data(), .planes_at_once = rows, .prefetch_bytes = rows == 3 ? 128 : 0},
                         scratch.data());
        for (int b = 0; b < form.bands(); ++b) {
          CHECK(difference(band_of(form, problem.grid, out, b), problem.plain(in[static_cast<std::size_t>(b)])) <
                1e-12);
        }
      }
    }
  }
}

TEST_CASE("compiler's and Fortran's loops are the plain twin") {
  for (const auto& size : sizes) {
    const Problem problem(size);
    const Orbital in = random_orbital(problem.grid.size(), 1);
    Orbital out(in.size());
    stencil_compiler(problem.stencil, problem.potential.data(), reinterpret_cast<const double*>(in.data()),
                     reinterpret_cast<double*>(out.data()));
    CHECK(difference(out, problem.plain(in)) < 1e-12);
    if constexpr (this_check::built::fortran) {
      out.assign(in.size(), 0);
      stencil_fortran(problem.stencil, problem.potential.data(), reinterpret_cast<const double*>(in.data()),
                      reinterpret_cast<double*>(out.data()));
      CHECK(difference(out, problem.plain(in)) < 1e-12);
    }
  }
}

TEST_CASE("a plane wave is an eigenvector with the symbol of the differences") {
  Problem problem({16, 10, 12});
  std::fill(problem.potential.begin(), problem.potential.end(), 0.25);
  const std::array<int, 3> n{3, -2, 1};
  Orbital wave;
  for (int x = 0; x < 16; ++x)
    for (int y = 0; y < 10; ++y)
      for (int z = 0; z < 12; ++z)
        wave.push_back(std::polar(1.0, 2 * std::numbers::pi * (n[0] * x / 16.0 + n[1] * y / 10.0 + n[2] * z / 12.0)));
  const double eigenvalue = dft::kinetic_of_plane_wave(problem.stencil, n) + 0.25;
  for (const Form& form : forms(problem.grid)) {
    const std::vector<Orbital> in(static_cast<std::size_t>(form.bands()), wave);
    const auto block = block_of(form, problem.grid, in);
    std::vector<double> out(block.size()), scratch(scratch_doubles(problem.grid, form));
    stencil_explicit(form, Store::apply, problem.stencil, problem.diagonal().data(), block.data(), {.out = out.data()},
                     scratch.data());
    double worst = 0;
    for (int b = 0; b < form.bands(); ++b) {
      const Orbital u = band_of(form, problem.grid, out, b);
      for (std::size_t p = 0; p < u.size(); ++p) worst = std::max(worst, std::abs(u[p] - eigenvalue * wave[p]));
    }
    // Relative to the sizes of the terms, whose sum the eigenvalue is.
    CHECK(worst < 1e-13 * (std::abs(problem.stencil.diagonal) + std::abs(eigenvalue)));
  }
}

TEST_CASE("four passes are the Taylor expansion of 4th order") {
  for (const auto& size : sizes) {
    const Problem problem(size);
    const double dt = 0.03;
    for (const Form& form : forms(problem.grid)) {
      std::vector<Orbital> in;
      for (int b = 0; b < form.bands(); ++b)
        in.push_back(random_orbital(problem.grid.size(), static_cast<std::uint64_t>(b)));
      auto orbital = block_of(form, problem.grid, in);
      std::vector<double> one(orbital.size()), two(orbital.size()), scratch(scratch_doubles(problem.grid, form));
      const auto diagonal = problem.diagonal();
      const auto pass = [&](std::vector<double>& from, std::vector<double>& to, int n) {
        stencil_explicit(form, Store::taylor, problem.stencil, diagonal.data(), from.data(),
                         {.out = to.data(), .orbital = orbital.data(), .scale = dt / n}, scratch.data());
      };
      pass(orbital, one, 4);
      pass(one, two, 3);
      pass(two, one, 2);
      pass(one, orbital, 1);
      for (int b = 0; b < form.bands(); ++b) {
        Orbital sum = in[static_cast<std::size_t>(b)], term = sum;
        for (int n = 1; n <= 4; ++n) {
          term = problem.plain(term);
          for (std::size_t p = 0; p < term.size(); ++p) sum[p] += term[p] *= Complex(0, -dt / n);
        }
        CHECK(difference(band_of(form, problem.grid, orbital, b), sum) < 1e-12);
      }
    }
  }
}

TEST_CASE("a gap parts planes that a cache would put upon each other, and no others") {
  const auto rows = [](std::array<int, 3> points, const Form& form) {
    return gap_for({points, {1, 1, 1}}, form, 4096) / points[2];
  };
  CHECK(rows({16, 16, 16}, {Layout::bands, 64}) == 1);
  CHECK(rows({16, 17, 16}, {Layout::bands, 64}) == 0);
  CHECK(rows({16, 18, 16}, {Layout::bands, 64}) == 1);
  CHECK(rows({16, 16, 16}, {Layout::points, 64}) == 1);
  CHECK(rows({4, 4, 128}, {Layout::bands, 64}) == 0);  // a row fills more than a way
}

TEST_CASE("vectors along z are those that divide a row") {
  CHECK(form_of(Layout::points, {{4, 4, 13}, {1, 1, 1}}, 64).bytes == 16);
  CHECK(form_of(Layout::points, {{4, 4, 22}, {1, 1, 1}}, 64).bytes == 32);
  CHECK(form_of(Layout::bands, {{4, 4, 13}, {1, 1, 1}}, 64).bands() == 4);
}
