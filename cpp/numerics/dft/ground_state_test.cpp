// Ground states of small cells: a dense Hamiltonian, charge, reduced sets of k, threads, restart.
#include "numerics/dft/ground_state.hpp"

#include <doctest/doctest.h>
#include <omp.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "numerics/dft/linear_algebra.hpp"
#include "numerics/dft/pseudopotential.hpp"
#include "numerics/dft/xc.hpp"

using namespace tenken;
using namespace tenken::dft;
using std::numbers::pi;

namespace {

Range all_of(const System& system) { return {0, static_cast<std::int64_t>(system.k_points.size())}; }

// Two silicon atoms off the points of a 6^3 grid, in a cell that their projectors' spheres reach beyond.
Input toy() {
  Input input;
  input.grid = {{6, 6, 6}, {5.0, 5.5, 5.2}};
  input.atoms = {{"Si", {0.3, 0.1, 0.7}}, {"Si", {2.6, 2.9, 3.1}}};
  input.k_grid = {1, 1, 2};
  input.filter_projectors = false;
  return input;
}

Input small_silicon(int reduction) {
  Input input = example("si");
  input.grid.points = {8, 8, 8};
  input.k_grid = {2, 2, 2};
  input.reduction = reduction;
  return input;
}

// Enough points for a team of two threads.
Input toy_of(int k) {
  Input input = toy();
  input.grid.points = {8, 8, 9};
  input.k_grid = {1, 1, k};
  return input;
}

Vector point_of(const Grid& grid, std::int64_t i) {
  const Vector h = grid.spacing();
  const std::int64_t z = i % grid.points[2], y = i / grid.points[2] % grid.points[1],
                     x = i / (std::int64_t{grid.points[1]} * grid.points[2]);
  return {h[0] * static_cast<double>(x), h[1] * static_cast<double>(y), h[2] * static_cast<double>(z)};
}

// Column-major, from the formulas: kinetic energy by plane waves, projectors summed over images of the published form.
std::vector<Complex> dense(const Input& input, const Vector& k, const std::vector<double>& potential) {
  const Grid& grid = input.grid;
  const std::int64_t n = grid.size();
  const Stencil stencil(grid, k);
  std::vector<Complex> matrix(static_cast<std::size_t>(n * n));
  for (int gx = 0; gx < grid.points[0]; ++gx)
    for (int gy = 0; gy < grid.points[1]; ++gy)
      for (int gz = 0; gz < grid.points[2]; ++gz) {
        const double energy = kinetic_of_plane_wave(stencil, {gx, gy, gz}) / static_cast<double>(n);
        std::vector<Complex> wave;
        for (std::int64_t i = 0; i < n; ++i) {
          const Vector r = point_of(grid, i);
          wave.push_back(std::polar(
              1.0, 2 * pi * (gx * r[0] / grid.cell[0] + gy * r[1] / grid.cell[1] + gz * r[2] / grid.cell[2])));
        }
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i)
            matrix[static_cast<std::size_t>(i + j * n)] +=
                energy * wave[static_cast<std::size_t>(i)] * std::conj(wave[static_cast<std::size_t>(j)]);
      }
  for (std::int64_t i = 0; i < n; ++i)
    matrix[static_cast<std::size_t>(i * (n + 1))] += potential[static_cast<std::size_t>(i)];
  for (const Atom& atom : input.atoms) {
    const Pseudopotential& ion = pseudopotential(atom.element);
    const double radius = projector_radius(ion, input.projector_cut);
    // l, i, j, m and h_ij of all terms |p_i> h_ij <p_j|.
    const auto projector = [&](int l, int i, std::size_t m) {
      std::vector<Complex> p(static_cast<std::size_t>(n));
      for (std::int64_t at = 0; at < n; ++at)
        for (int x = -2; x <= 2; ++x)
          for (int y = -2; y <= 2; ++y)
            for (int z = -2; z <= 2; ++z) {
              Vector r = point_of(grid, at);
              const int image[3]{x, y, z};
              for (std::size_t d = 0; d < 3; ++d) r[d] -= atom.position[d] + image[d] * grid.cell[d];
              const double length = std::hypot(r[0], r[1], r[2]);
              if (length >= radius) continue;
              const double angular = l == 0 ? std::sqrt(1 / (4 * pi)) : std::sqrt(3 / (4 * pi)) * r[m] / length;
              p[static_cast<std::size_t>(at)] +=
                  radial_projector(l, i, ion.of_l[static_cast<std::size_t>(l)].radius, length) * angular *
                  std::polar(1.0, -(k[0] * r[0] + k[1] * r[1] + k[2] * r[2]));
            }
      return p;
    };
    const auto add = [&](double h, const std::vector<Complex>& a, const std::vector<Complex>& b) {
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = 0; i < n; ++i)
          matrix[static_cast<std::size_t>(i + j * n)] +=
              h * grid.point_volume() * a[static_cast<std::size_t>(i)] * std::conj(b[static_cast<std::size_t>(j)]);
    };
    for (int l = 0; l < 2; ++l)
      for (std::size_t m = 0; m < static_cast<std::size_t>(2 * l + 1); ++m)
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) {
            const double h =
                ion.of_l[static_cast<std::size_t>(l)].h[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
            if (h != 0) add(h, projector(l, i + 1, m), projector(l, j + 1, m));
          }
  }
  return matrix;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("eigenvalues of a toy are those of its dense Hamiltonian, and its energy those of its parts") {
  const Input input = toy();
  const System system = make_system(input);
  GroundStateOptions options;
  options.tolerance = 1e-10;
  const GroundState state = ground_state(system, all_of(system), options);
  REQUIRE(state.converged);
  double bands = 0;
  for (std::size_t k = 0; k < system.k_points.size(); ++k) {
    std::vector<Complex> matrix = dense(input, system.k_points[k].k, state.potential);
    for (std::int64_t i = 0; i < 216; ++i)
      for (std::int64_t j = 0; j < i; ++j)
        CHECK(std::abs(matrix[static_cast<std::size_t>(i + 216 * j)] -
                       std::conj(matrix[static_cast<std::size_t>(j + 216 * i)])) < 1e-12);
    std::vector<double> exact;
    REQUIRE(diagonalise(216, matrix.data(), exact));
    for (std::size_t b = 0; b < 4; ++b) {
      const double value = state.eigenvalues[k * static_cast<std::size_t>(state.bands) + b];
      CHECK(std::abs(value - exact[b]) < 1e-10);
      bands += System::occupation * system.k_points[k].weight * value;
    }
  }
  // Sum of eigenvalues = kinetic + non-local + integral of V rho.
  double interaction = 0, charge = 0;
  for (std::size_t i = 0; i < state.density.size(); ++i) {
    interaction += state.potential[i] * state.density[i] * system.grid.point_volume();
    charge += state.density[i] * system.grid.point_volume();
  }
  CHECK(std::abs(charge - 8) < 1e-12);
  CHECK(std::abs(state.energies.kinetic + state.energies.nonlocal + interaction - bands) < 1e-9);
  CHECK(state.energies.kinetic > 0);
}

TEST_CASE("a set of k reduced by 4 or 8 gives the density and energy of the full one") {
  GroundStateOptions options;
  options.tolerance = 1e-11;
  const auto solved = [&](int reduction) {
    const System system = make_system(small_silicon(reduction));
    GroundState state = ground_state(system, all_of(system), options);
    CHECK(state.converged);
    return state;
  };
  const GroundState full = solved(1);
  double charge = 0;
  for (const double density : full.density) charge += density * std::pow(10.26 / 8, 3);
  CHECK(std::abs(charge - 32) < 1e-10);
  for (const int reduction : {4, 8}) {
    const GroundState reduced = solved(reduction);
    CHECK(reduced.k_range.size() == 8 / 4);
    CHECK(difference(reduced.density, full.density) < 1e-10);
    CHECK(std::abs(reduced.energies.total() - full.energies.total()) < 1e-10);
  }
}

TEST_CASE("the answer does not depend on the number of threads") {
  const int before = omp_get_max_threads();
  // 2 k-points; then 1, and 3 of which two threads rotate the last together.
  for (const auto& [input, all] : {std::pair{small_silicon(8), 2}, {toy_of(1), 1}, {toy_of(3), 3}}) {
    const System system = make_system(input);
    REQUIRE(static_cast<int>(system.k_points.size()) == all);
    omp_set_num_threads(1);
    const GroundState one = ground_state(system, all_of(system), {});
    for (const int threads : {2, 3}) {
      omp_set_num_threads(threads);
      const GroundState more = ground_state(system, all_of(system), {});
      CHECK(one.iterations == more.iterations);
      CHECK(difference(one.density, more.density) < 1e-12);
      CHECK(difference(one.eigenvalues, more.eigenvalues) < 1e-9);
      CHECK(std::abs(one.energies.total() - more.energies.total()) < 1e-11);
    }
  }
  omp_set_num_threads(before);
}

TEST_CASE("k and -k share a computation, and nothing changes") {
  struct Set {
    Input input;
    std::int64_t all, computed;
  };
  // Of 3 k the middle one is Gamma, its own partner; toy() has no symmetry.
  for (const Set& set : {Set{toy_of(3), 3, 2}, {small_silicon(1), 8, 4}, {small_silicon(4), 2, 1}}) {
    const System system = make_system(set.input);
    GroundStateOptions options;
    options.tolerance = 1e-11;
    options.time_reversal = false;
    GroundStateSolver full(system, all_of(system), options);
    CHECK(full.computed() == set.all);
    options.time_reversal = true;
    GroundStateSolver half(system, all_of(system), options);
    CHECK(half.computed() == set.computed);
    for (GroundStateSolver* solver : {&full, &half})
      while (solver->step()) {
      }
    const GroundState &a = full.state(), &b = half.state();
    CHECK(a.converged);
    CHECK(b.converged);
    CHECK(std::abs(a.energies.total() - b.energies.total()) < 1e-10);
    CHECK(difference(a.density, b.density) < 1e-10);
    const std::int64_t points = system.grid.size();
    double worst = 0;  // |H u - e u| of the occupied bands of every k, at that k
    for (std::size_t k = 0; k < system.k_points.size(); ++k) {
      const Hamiltonian h(system, system.k_points[k].k, {});
      for (int band = 0; band < system.bands(); ++band) {
        const std::size_t at = k * static_cast<std::size_t>(b.bands) + static_cast<std::size_t>(band);
        CHECK(std::abs(a.eigenvalues[at] - b.eigenvalues[at]) < 1e-9);
        const Complex* const u = b.orbitals.data() + static_cast<std::int64_t>(at) * points;
        std::vector<Complex> image(static_cast<std::size_t>(points));
        h.apply(b.potential.data(), u, image.data());
        double sum = 0;
        for (std::size_t i = 0; i < image.size(); ++i) sum += std::norm(image[i] - b.eigenvalues[at] * u[i]);
        worst = std::max(worst, std::sqrt(sum * system.grid.point_volume()));
      }
    }
    CHECK(worst < 1e-5);
  }
  // In a vector potential k and -k are no partners.
  System moved = make_system(small_silicon(4));
  for (KPoint& point : moved.k_points) point.k[2] += 0.01;
  CHECK(GroundStateSolver(moved, all_of(moved), {}).computed() == 2);
}

TEST_CASE("restarted in the middle the iterations have the same bits") {
  const System system = make_system(small_silicon(8));
  GroundStateSolver through(system, all_of(system), {}), second(system, all_of(system), {});
  std::stringstream saved;
  for (int i = 0; through.step(); ++i) {
    if (i == 5) through.save(saved);
  }
  GroundStateOptions others;
  others.seed = 77;  // its orbitals are not those that are restored
  GroundStateSolver restarted(system, all_of(system), others);
  REQUIRE(restarted.restore(saved));
  CHECK(restarted.state().iterations == 6);
  while (restarted.step()) {
  }
  const GroundState &a = through.state(), &b = restarted.state();
  CHECK(a.iterations == b.iterations);
  CHECK(std::memcmp(a.orbitals.data(), b.orbitals.data(), a.orbitals.size() * sizeof(Complex)) == 0);
  CHECK(a.density == b.density);
  CHECK(a.energies.total() == b.energies.total());
  std::stringstream cut(saved.str().substr(0, saved.str().size() / 2));
  CHECK_FALSE(restarted.restore(cut));
}

TEST_CASE("options end the iterations, and more bands than points are refused") {
  const System system = make_system(toy());
  GroundStateOptions options;
  options.most_iterations = 3;
  const GroundState state = ground_state(system, all_of(system), options);
  CHECK_FALSE(state.converged);
  CHECK(state.iterations == 3);
  options.guard_bands = 1000;
  CHECK_THROWS_AS(ground_state(system, all_of(system), options), UserError);
  CHECK(ground_state_bytes(system, 2, 4, 1) > 2 * 8 * 216 * 16);
  CHECK_NOTHROW(require_memory(1 << 30, 3, std::int64_t{3} << 30));
  CHECK_THROWS_WITH_AS(
      require_memory(1 << 30, 4, std::int64_t{3} << 30),
      "the orbitals need 4 GiB on a node (1 GiB a rank), but 3 GiB are available; use fewer k-points, a "
      "coarser grid or more nodes",
      UserError);
}
