// Time steps: against the plain twin, against exact solutions, and on any ranks, orders and variants.
#include <doctest/doctest.h>
#include <mpi.h>

#include <cmath>

#include "step.hpp"
#include "testing/sanitized.hpp"
#include "twin.hpp"

using namespace les;

namespace {

int ranks_here() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}
bool alone() { return ranks_here() == 1; }

Rules converged(double smagorinsky, double tolerance = 1e-12) {
  return {{200, tolerance, false}, {2000, tolerance, false}, smagorinsky};
}

template <class Real>
struct Flowing {
  Box box;
  Mesh mesh;
  Stepper<Real> stepper;

  Flowing(const Flow& flow, const Cells& cells, const Rules& rules, double dt, Variant variant = Variant::gather,
          Order order = Order::natural, double stretch = 0, double distortion = 0)
      : box(box_of(flow.kind, cells, stretch, distortion)),
        mesh(make(box, order)),
        stepper(MPI_COMM_WORLD, box, mesh,
                variant == Variant::scatter ? element_colours(mesh) : std::vector<std::vector<std::int32_t>>{}, flow,
                variant, rules, dt) {}

  static Mesh make(const Box& box, Order order) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return make_mesh(box, order, 11, rank, ranks_here());
  }
  double sum(double mine) const {
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return mine;
  }
  double energy() const { return sum(stepper.kinetic_energy()); }
  double error() const {
    double size = 0;
    const double wrong = sum(stepper.error(size));
    return std::sqrt(wrong / sum(size));
  }
  void steps(int n) {
    for (int i = 0; i < n; ++i) stepper.step();
  }
  // Velocities of all nodes, three a node.
  std::vector<double> velocities() const {
    std::vector<double> all(3 * static_cast<std::size_t>(box.number_of_nodes()));
    for (std::int64_t n = 0; n < mesh.own; ++n) {
      for (std::size_t c = 0; c < 3; ++c) {
        all[3 * static_cast<std::size_t>(mesh.node[static_cast<std::size_t>(n)]) + c] = stepper.velocity()[c][n];
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }
};

double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

TEST_CASE("three steps are those of the plain twin, for every flow, with eddy viscosity and bent or stretched boxes") {
  for (const Kind kind : {Kind::taylor_green_3d, Kind::channel, Kind::cavity_3d, Kind::cavity_2d}) {
    const Flow flow{kind, 0.02};
    const Cells cells = kind == Kind::cavity_2d ? Cells{5, 4, 1} : Cells{5, 3, 5};
    const double dt = 0.1, stretch = kind == Kind::taylor_green_3d ? 0 : 0.8;
    // Bent boxes with walls have pressures that are nearly modes: solvers do not end there.
    const double distortion = kind == Kind::taylor_green_3d || kind == Kind::channel ? 0.02 : 0;
    Flowing<double> fast(flow, cells, converged(0.2, 1e-13), dt, Variant::gather, Order::natural, stretch, distortion);
    Twin twin(fast.box, flow, 0.2, dt);
    for (int i = 0; i < 3; ++i) {
      fast.stepper.step();
      twin.step();
    }
    CAPTURE(static_cast<int>(kind));
    CHECK(largest_difference(fast.velocities(), twin.u) < 1e-11);
    double moved = 0;
    for (const double u : twin.u) moved += std::abs(u);
    CHECK(moved > 1);
  }
}

TEST_CASE("variants, orders, merged sums and ranks change the flow by rounding alone") {
  const Flow flow{Kind::cavity_3d, 0.01};
  const Cells cells{7, 6, 5};
  const auto velocities = [&](Variant variant, Order order, bool merged) {
    Rules rules = converged(0.1, 1e-13);
    rules.momentum.merged = rules.pressure.merged = merged;
    Flowing<double> one(flow, cells, rules, 0.05, variant, order, 0.5);
    one.steps(4);
    return one.velocities();
  };
  const Box box = box_of(flow.kind, cells, 0.5, 0);
  const Mesh whole = make_mesh(box, Order::natural, 1, 0, 1);
  Stepper<double> alone_stepper(MPI_COMM_SELF, box, whole, {}, flow, Variant::gather, converged(0.1, 1e-13), 0.05);
  for (int i = 0; i < 4; ++i) alone_stepper.step();
  std::vector<double> reference(3 * whole.node.size());
  for (std::size_t i = 0; i < reference.size(); ++i) reference[i] = alone_stepper.velocity()[i % 3][i / 3];
  CHECK(*std::max_element(reference.begin(), reference.end()) == 1);
  for (const Variant variant : {Variant::gather, Variant::scatter, Variant::fused, Variant::assembled}) {
    CHECK(largest_difference(velocities(variant, Order::natural, false), reference) < 1e-12);
  }
  CHECK(largest_difference(velocities(Variant::gather, Order::random, false), reference) < 1e-12);
  CHECK(largest_difference(velocities(Variant::scatter, Order::rcm, true), reference) < 1e-12);

  // Single precision, ten steps of fixed iterations.
  const Rules fixed{{5, 0, false}, {30, 0, false}, 0.1};
  Flowing<float> one(flow, cells, fixed, 0.05), other(flow, cells, fixed, 0.05, Variant::scatter, Order::random);
  one.steps(10), other.steps(10);
  CHECK(largest_difference(one.velocities(), other.velocities()) < 1e-4);
}

TEST_CASE("reductions of a step follow the formula") {
  for (const bool merged : {false, true}) {
    const Rules rules{{3, 0, merged}, {7, 0, merged}, 0.1};
    Flowing<float> one({Kind::cavity_3d, 0.01}, {4, 4, 4}, rules, 0.05);
    const StepFacts facts = one.stepper.step();
    const std::int64_t modes = 4;  // the constant and three families of checkerboards
    CHECK(one.stepper.reductions().count() ==
          modes + (merged ? 3 * (2 + 2 * 3) + 2 + 2 * 7 : 3 * (2 + 4 * 3) + 2 + 4 * 7));
    CHECK(one.stepper.reductions().count() == one.stepper.reductions_by_formula(facts));
  }
}

TEST_CASE("two-dimensional vortices decay as they must, second order in the spacing and the step") {
  if (!alone() || tenken::testing::sanitized) return;
  double before = 0;
  for (const int n : {16, 32, 64}) {
    Flowing<double> flow({Kind::taylor_green_2d, 0.02}, {n, n, 1}, converged(0, 1e-10), 0.8 / n);
    flow.steps(5 * n / 2);
    const double error = flow.error();
    if (before > 0) {
      const double order = std::log2(before / error);
      CAPTURE(n);
      CHECK(order > 1.9);
      CHECK(order < 2.1);
    }
    before = error;
  }
  CHECK(before < 1e-3);
}

TEST_CASE_TEMPLATE("a channel keeps its exact profile at nodes, stretched or not", Real, float, double) {
  for (const double stretch : {0.0, 1.2}) {
    Flowing<Real> flow({Kind::channel, 0.02}, {6, 12, 4}, converged(0, sizeof(Real) == 4 ? 1e-6 : 1e-12), 0.03,
                       Variant::gather, Order::natural, stretch);
    flow.steps(30);
    CHECK(flow.error() < (sizeof(Real) == 4 ? 1e-4 : 1e-10));
  }
}

TEST_CASE_TEMPLATE("without a lid the energy of the scheme does not grow, and the divergence falls to the tolerance",
                   Real, float, double) {
  const bool single = sizeof(Real) == 4;
  // Without viscosity nothing but the scheme takes energy.
  const Rules rules = single ? Rules{{5, 0, false}, {30, 0, false}, 0} : converged(0, 1e-13);
  Flowing<Real> flow({Kind::taylor_green_3d, 1e-9}, {8, 8, 8}, rules, 0.2);
  const auto energy = [&] { return flow.energy() + flow.sum(flow.stepper.pressure_energy()); };
  double before = energy();
  const double start = before;
  for (int i = 0; i < 20; ++i) {
    flow.stepper.step();
    const double now = energy();
    CHECK(now / before - 1 < (single ? 1e-5 : 1e-10));
    before = now;
  }
  CHECK(flow.energy() > 0.9 * start);
  const double left = std::sqrt(flow.sum(std::pow(flow.stepper.divergence_norm(), 2)));
  CHECK(left < (single ? 1e-3 : 1e-11));
}

TEST_CASE("a lid drives the published vortex, Re 100 at 32 x 32") {
  if (!alone() || tenken::testing::sanitized) return;
  Flowing<double> flow({Kind::cavity_2d, 0.01}, {32, 32, 1}, converged(0, 1e-6), 0.03);
  flow.steps(700);
  const std::vector<double> u = flow.velocities();
  double least_u = 0, most_v = 0, least_v = 0;
  for (int j = 0; j <= 32; ++j) {
    const auto at = [&](int x, int y, std::size_t c) {
      return u[3 * static_cast<std::size_t>(flow.box.node_number({x, y, 0})) + c];
    };
    least_u = std::min(least_u, at(16, j, 0));
    most_v = std::max(most_v, at(j, 16, 1));
    least_v = std::min(least_v, at(j, 16, 1));
  }
  // Ghia, Ghia and Shin, J. Comput. Phys. 48 (1982) 387, tables I and II: -0.2109, 0.1753, -0.2453. Spectral values
  // (O. Botella, R. Peyret, Comput. Fluids 27 (1998) 421): -0.21404, 0.17957, -0.25380, from which those of Ghia differ
  // by up to 3.4 %.
  CHECK(std::abs(least_u / -0.2109 - 1) < 0.03);
  CHECK(std::abs(most_v / 0.1753 - 1) < 0.03);
  CHECK(std::abs(least_u / -0.21404 - 1) < 0.015);
  CHECK(std::abs(most_v / 0.17957 - 1) < 0.015);
  CHECK(std::abs(least_v / -0.25380 - 1) < 0.015);
}

}  // namespace
