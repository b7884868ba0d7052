// k-points and their reduction, the Hartree potential, and what inputs are refused.
#include "numerics/dft/symmetry.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/dft/ewald.hpp"
#include "numerics/dft/hartree.hpp"
#include "numerics/dft/ions.hpp"

using namespace tenken;
using namespace tenken::dft;
using std::numbers::pi;

namespace {

Input small_silicon(int points, int k, int reduction) {
  Input input = example("si");
  input.grid.points = {points, points, points};
  input.k_grid = {k, k, k};
  input.reduction = reduction;
  return input;
}

std::string refusal(const Input& input) {
  try {
    make_system(input);
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("k-points are half a step off the middle, and reduced sets carry the weight of the full one") {
  const Grid cube{{16, 16, 16}, {10, 10, 10}};
  for (const auto& [reduction, count] : {std::pair{1, 64}, {4, 16}, {8, 12}}) {
    const std::vector<KPoint> points = k_points(cube, {4, 4, 4}, reduction);
    CHECK(points.size() == static_cast<std::size_t>(count));
    double sum = 0;
    for (const KPoint& point : points) sum += point.weight;
    CHECK(sum == doctest::Approx(1).epsilon(1e-14));
    // 2 pi / 10 times 1/8 or 3/8
    for (const KPoint& point : points)
      for (const double k : point.k) {
        const double eighths = std::abs(k) * 10 / (2 * pi) * 8;
        CHECK((std::abs(eighths - 1) < 1e-12 || std::abs(eighths - 3) < 1e-12));
      }
  }
  CHECK(k_points(cube, {8, 8, 8}, 8).size() == 80);
  CHECK(k_points(cube, {1, 1, 1}, 1)[0].k == Vector{0, 0, 0});
}

TEST_CASE("of k and -k one stays, with the weight of both") {
  const Input input = example("si");
  struct Set {
    int n, reduction, count;
  };
  for (const Set& set :
       std::initializer_list<Set>{{4, 1, 32}, {2, 1, 4}, {1, 1, 1}, {3, 1, 14}, {4, 8, 6}, {2, 8, 1}, {4, 4, 8}}) {
    CAPTURE(set.n);
    CAPTURE(set.reduction);
    const std::vector<KPoint> all = k_points(input.grid, {set.n, set.n, set.n}, set.reduction);
    const std::vector<KPoint> kept = without_opposites(all, set.reduction);
    CHECK(static_cast<int>(kept.size()) == set.count);
    double weight = 0;
    for (const KPoint& point : kept) weight += point.weight;
    CHECK(std::abs(weight - 1) < 1e-14);
  }
  const std::vector<Symmetry> identity = symmetries(1);
  CHECK(opposite_by(identity, {0.1, -0.2, 0.3}, {-0.1, 0.2, -0.3}) == 0);
  CHECK_FALSE(opposite_by(identity, {0.1, -0.2, 0.3}, {-0.1, 0.2, 0.3}));
}

TEST_CASE("symmetries are a group, and a symmetric density is their average") {
  CHECK(symmetries(1).size() == 1);
  CHECK(symmetries(4).size() == 16);  // 4 and the 4 translations of a face-centred lattice
  CHECK(symmetries(8).size() == 32);
  CHECK_THROWS_AS(symmetries(2), UserError);
  const Input input = small_silicon(8, 2, 8);
  const Symmetriser average(input.grid, 8);
  std::vector<double> density(512);
  const RandomStream random(3, 1);
  double sum = 0;
  for (std::size_t i = 0; i < density.size(); ++i) sum += density[i] = random.uniform(i);
  std::vector<double> once = density;
  average(once);
  std::vector<double> twice = once;
  average(twice);
  double after = 0, changed = 0;
  for (std::size_t i = 0; i < once.size(); ++i) {
    after += once[i];
    changed = std::max(changed, std::abs(once[i] - density[i]));
    CHECK(std::abs(twice[i] - once[i]) < 1e-14);
  }
  CHECK(after == doctest::Approx(sum).epsilon(1e-14));
  CHECK(changed > 0.1);
  // The atoms' own density has them already.
  std::vector<double> atoms = first_density(input.grid, input.atoms, 1.2);
  const std::vector<double> before = atoms;
  average(atoms);
  for (std::size_t i = 0; i < atoms.size(); ++i) CHECK(std::abs(atoms[i] - before[i]) < 1e-14);
}

TEST_CASE("the Hartree potential of a plane wave and of a Gaussian are the closed forms") {
  const Grid grid{{20, 24, 27}, {7, 8, 9}};
  Hartree hartree(grid);
  const auto n = static_cast<std::size_t>(grid.size());
  std::vector<double> density(n), potential(n);
  const Vector h = grid.spacing();
  const auto fill = [&](const auto& value) {
    std::size_t at = 0;
    for (int x = 0; x < grid.points[0]; ++x)
      for (int y = 0; y < grid.points[1]; ++y)
        for (int z = 0; z < grid.points[2]; ++z) density[at++] = value(Vector{x * h[0], y * h[1], z * h[2]});
  };
  const Vector g{2 * pi * 3 / 7, -2 * pi / 8, 2 * pi * 2 / 9};
  const double square = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
  fill([&](const Vector& r) { return std::cos(g[0] * r[0] + g[1] * r[1] + g[2] * r[2] + 0.3); });
  const double energy = hartree(density.data(), potential.data());
  for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(potential[i] - 4 * pi / square * density[i]) < 1e-12);
  CHECK(energy == doctest::Approx(grid.volume() / 4 * 4 * pi / square).epsilon(1e-12));

  // A Gaussian and its images: a point charge, less what the Gaussian screens nearby.
  const double width = 0.75;
  const Vector middle{3.5, 4, 4.5};
  const auto images = [&](const Vector& r, const auto& f) {
    double sum = 0;
    for (int x = -2; x <= 2; ++x)
      for (int y = -2; y <= 2; ++y)
        for (int z = -2; z <= 2; ++z)
          sum += f(std::hypot(r[0] - middle[0] + 7 * x, r[1] - middle[1] + 8 * y, r[2] - middle[2] + 9 * z));
    return sum;
  };
  fill([&](const Vector& r) {
    return images(
        r, [&](double d) { return std::exp(-d * d / (2 * width * width)) / std::pow(2 * pi * width * width, 1.5); });
  });
  hartree(density.data(), potential.data());
  for (const Vector& r : {Vector{7.0 / 4, 8.0 / 4, 3}, {0, 0, 0}, {4.2, 6, 2}}) {
    const auto at = static_cast<std::size_t>((std::lround(r[0] / h[0]) * grid.points[1] + std::lround(r[1] / h[1])) *
                                                 grid.points[2] +
                                             std::lround(r[2] / h[2]));
    const Vector off{r[0] - middle[0], r[1] - middle[1], r[2] - middle[2]};
    const double exact = ewald_potential(grid.cell, off, 0.6) + 2 * pi * width * width / grid.volume() -
                         images(r, [&](double d) { return std::erfc(d / (std::sqrt(2.0) * width)) / d; });
    CHECK(std::abs(potential[at] - exact) < 1e-12);
  }
}

TEST_CASE("inputs that mean nothing are refused in one sentence") {
  Input input = small_silicon(8, 2, 1);
  input.atoms[3].position = input.atoms[2].position;
  input.atoms[3].position[0] += 0.2 + input.grid.cell[0];  // across the boundary
  CHECK(refusal(input) ==
        "atoms 3 (Si) and 4 (Si) overlap: they are 0.2 Bohr apart; place them at least 0.7 Bohr apart");
  input = small_silicon(8, 2, 1);
  input.atoms[0].element = "H";
  CHECK(refusal(input).starts_with("the cell has 29 electrons, an odd number"));
  input.atoms[0].element = "U";
  CHECK(refusal(input).starts_with("element 'U' has no pseudopotential here"));
  input = small_silicon(10, 2, 4);
  CHECK(refusal(input).starts_with("reduction 4 of the k-points needs multiples of 4 points along each axis, not 10"));
  input = example("sio2");
  input.reduction = 4;
  CHECK(refusal(input).find("needs") != std::string::npos);
  input = small_silicon(8, 2, 8);
  input.grid.points = {8, 12, 8};
  CHECK(refusal(input).find("same along x and y") != std::string::npos);
  input = small_silicon(8, 2, 4);
  input.atoms[5].position[2] += 0.1;
  CHECK(refusal(input).find("symmetries of diamond") != std::string::npos);
  input = small_silicon(8, 2, 1);
  input.grid.cell[1] = -1;
  CHECK(refusal(input).starts_with("the cell's length along y is -1 Bohr"));
  input = small_silicon(4, 2, 1);
  CHECK(refusal(input).find("too small") != std::string::npos);
  input = small_silicon(8, 2, 1);
  input.atoms.clear();
  CHECK(refusal(input).starts_with("the cell has no atoms"));
  CHECK_THROWS_AS(example("gaas"), UserError);
}

TEST_CASE("grids too coarse for a pseudopotential are warned of, by element and with cut-offs") {
  const Input fine = example("si"), coarse = example("sio2");
  CHECK(coarse_grid_warnings(fine.grid, fine.atoms).empty());
  CHECK(coarse_grid_warnings(small_silicon(12, 1, 1).grid, fine.atoms).size() == 1);
  CHECK(coarse_grid_warnings(small_silicon(14, 1, 1).grid, fine.atoms).empty());
  const std::vector<std::string> warnings = coarse_grid_warnings(coarse.grid, coarse.atoms);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].starts_with("the grid is too coarse for the pseudopotential of O: its spacing of 0.4642 Bohr"));
  const std::vector<GridNeed> needs = grid_needs(coarse.grid, coarse.atoms);
  REQUIRE(needs.size() == 2);
  CHECK(needs[0].element == "Si");
  CHECK(!needs[0].coarse());
  CHECK(needs[1].element == "O");
  CHECK(std::abs(needs[1].carried - pi * pi / (2 * 0.464245 * 0.464245)) < 1e-6);
  CHECK(std::exp(-std::pow(std::sqrt(2 * needs[1].needed) * 0.22178614, 2) / 2) == doctest::Approx(0.2).epsilon(1e-9));
}

TEST_CASE("quartz is made of tetrahedra: four oxygens about each silicon, two silicons about each oxygen") {
  const Input input = example("sio2");
  REQUIRE(input.atoms.size() == 18);
  for (const Atom& atom : input.atoms) {
    int near = 0;
    for (const Atom& other : input.atoms) {
      if (other.element == atom.element) continue;
      Vector between;
      for (std::size_t d = 0; d < 3; ++d) {
        const double off = (atom.position[d] - other.position[d]) / input.grid.cell[d];
        between[d] = (off - std::round(off)) * input.grid.cell[d];
      }
      const double distance = std::hypot(between[0], between[1], between[2]);
      CHECK(distance > 3.0);
      near += distance < 3.06;
    }
    CHECK(near == (atom.element == "Si" ? 4 : 2));
  }
}
