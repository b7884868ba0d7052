#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "cg.hpp"
#include "numerics/plain.hpp"
#include "numerics/replay.hpp"
#include "proofs.hpp"
#include "testing/counting.hpp"
#include "work.hpp"

using namespace tenken;
using namespace tenken::elasticity;
using tenken::testing::Counted;
using tenken::testing::counted_flop;
using tenken::testing::Watched;

namespace {

int size_of(MPI_Comm comm) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}
int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

const MPI_Comm world = MPI_COMM_WORLD;

// Every grid of this many ranks.
std::vector<Index<3>> grids() {
  std::vector<Index<3>> all;
  const int ranks = size_of(world);
  for (int x = 1; x <= ranks; ++x) {
    for (int y = 1; x * y <= ranks; ++y) {
      if (ranks % (x * y) == 0) all.push_back({x, y, ranks / (x * y)});
    }
  }
  return all;
}

Mesh mesh_of(const Index<3>& nodes, const Index<3>& grid, double distortion) {
  return Mesh(nodes, grid, rank_of(world), distortion, 1);
}

struct Proofs {
  double reference, symmetry, rigid, preconditioner, inverse, least;
};

Proofs proofs_of(const Mesh& mesh, const Material& material, const Faults& faults) {
  System system(world, mesh, material, faults);
  const Subject subject{system, material, 1, row_norm(system)};
  const PreconditionerProof p = preconditioner_proof(subject);
  return {reference_error(subject), asymmetry(subject), rigid_force(subject), p.asymmetry, p.inverse, p.least};
}

struct Plain {
  Cg& cg;
  void start() { cg.start(); }
  void step() {
    cg.step([](Step, int) { return 0; });
  }
  int iteration() const { return cg.iteration(); }
  double residual() const { return cg.residual(); }
};

int iterations_to(System& system, double tolerance, double& error, const Material& material) {
  const Buffer<double> load = traction(system.mesh());
  Cg cg(system, load);
  Plain plain{cg};
  Replay replay;
  replay.rehearse(plain, 2000, tolerance);
  error = displacement_error({system, material, 1, 1}, cg.x());
  return replay.iterations();
}

}  // namespace

TEST_CASE("the operator is proved on every grid of ranks, distorted or not") {
  const Material material{.poisson = 0.25};
  for (const Index<3>& grid : grids()) {
    for (const double distortion : {0.0, 0.4}) {
      const Proofs p = proofs_of(mesh_of({7, 5, 6}, grid, distortion), material, {});
      CHECK(p.reference < 1e-14);
      CHECK(p.symmetry < 1e-15);
      CHECK(p.rigid < 1e-14);
      CHECK(p.preconditioner < 1e-15);
      CHECK(p.inverse < 1e-14);
      CHECK(p.least > 0.1);
    }
  }
}

TEST_CASE("planted mistakes are found") {
  const Material material;
  const Mesh mesh = mesh_of({7, 6, 9}, balanced_grid<3>({7, 6, 9}, size_of(world)), 0);
  const bool last = rank_of(world) + 1 == size_of(world);
  const Proofs dropped = proofs_of(mesh, material, {.drop_coupling = last});
  CHECK(dropped.reference > 1e-4);
  if (size_of(world) == 1) {
    CHECK(dropped.symmetry < 1e-15);  // lost in both directions
  } else {
    CHECK(dropped.symmetry > 1e-6);
  }
  const Proofs unsymmetric = proofs_of(mesh, material, {.unsymmetric_preconditioner = last});
  CHECK(unsymmetric.preconditioner > 1e-6);
  CHECK(unsymmetric.inverse > 0.01);
  CHECK(unsymmetric.reference < 1e-14);
  if (size_of(world) == 1) return;
  const Proofs stale = proofs_of(mesh, material, {.stale_halo = last});
  CHECK(stale.reference > 1e-3);
}

TEST_CASE("the solution is the linear one on every grid, after as many iterations give or take one") {
  const Material material;
  for (const double distortion : {0.0, 0.4}) {
    int first = 0;
    for (const Index<3>& grid : grids()) {
      const Mesh mesh = mesh_of({8, 7, 9}, grid, distortion);
      System system(world, mesh, material, {});
      double error = 1;
      const int iterations = iterations_to(system, 1e-12, error, material);
      CHECK(error < 1e-11);
      if (first == 0) first = iterations;
      CHECK(std::abs(iterations - first) <= 1);
    }
  }
}

TEST_CASE("nodes of others are numbered in the order in which they arrive") {
  for (const Index<3>& grid : grids()) {
    const Mesh mesh = mesh_of({5, 6, 7}, grid, 0);
    std::int64_t next = mesh.own();
    for (const Neighbour& one : mesh.lists().neighbours) {
      for (const std::int32_t item : one.receive) CHECK(item == next++);
      for (const std::int32_t item : one.send) CHECK(item < mesh.own());
    }
    CHECK(next == mesh.items());
    for (std::int64_t own = 0; own < mesh.own(); ++own) REQUIRE(mesh.item(mesh.node(own)) == own);
  }
}

TEST_CASE("work is what the plain twins do, counted, and messages are those sent") {
  const Mesh mesh = mesh_of({5, 4, 6}, balanced_grid<3>({5, 4, 6}, size_of(world)), 0);
  System system(world, mesh, Material{}, {});
  const Matrix& a = system.matrix();
  // The rows of the matrix, compressed.
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> columns;
  for (std::int64_t own = 0; own < mesh.own(); ++own) {
    for (const Node& other : stored_around(mesh, own)) columns.push_back(mesh.item(other));
    starts.push_back(static_cast<std::int64_t>(columns.size()));
  }
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  Watched<std::int64_t> begin(starts);
  Watched<std::int32_t> column(columns);
  Watched<Counted> value(9 * columns.size()), x(size(3 * mesh.items())), y(size(3 * mesh.own()));
  counted_flop = 0;
  plain::multiply_symmetric_blocks<3>(mesh.own(), begin, column, value, x, y);
  CHECK(spmv_work(a) == Work{.flop = counted_flop,
                             .bytes_read = 8 * value.read() + 4 * a.indices + 8 * x.read(),
                             .bytes_written = 8 * y.written()});

  const std::int64_t n = 17;
  Watched<Counted> r(size(n)), z(size(n));
  counted_flop = 0;
  plain::dot<Counted>(n, r, z);
  const std::int64_t first = r.read() + z.read();
  CHECK(dots_work(n, 2) == Work{.flop = counted_flop, .bytes_read = 8 * first});
  Watched<Counted> again(size(n));
  plain::dot<Counted>(n, again, again);
  CHECK(dots_work(n, 3) == Work{.flop = counted_flop, .bytes_read = 8 * (first + again.read())});
  Watched<Counted> p(size(n)), q(size(n));
  counted_flop = 0;
  for (std::int64_t i = 0; i < n; ++i) q[i] += Counted(2) * p[i];
  CHECK(updates_work(n, 1) ==
        Work{.flop = counted_flop, .bytes_read = 8 * (p.read() + q.read()), .bytes_written = 8 * q.written()});

  const Work halo = halo_work(system);
  std::int64_t received = 0, sent = 0;
  for (const Neighbour& one : mesh.lists().neighbours) {
    received += 24 * static_cast<std::int64_t>(one.receive.size());
    sent += 24 * static_cast<std::int64_t>(one.send.size());
  }
  CHECK(halo == Work{.bytes_read = received,
                     .bytes_written = sent,
                     .messages = static_cast<std::int64_t>(mesh.lists().neighbours.size())});
}
