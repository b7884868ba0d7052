#include "run.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "measure/clock.hpp"
#include "parallel/rank_grid.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace tenken::elasticity {

namespace section = this_check::section;
namespace validity = this_check::validity;

namespace {

// Iterations that S. Oshima and others report for 129^3 nodes (ITO, 2017, table 10), and those of other sizes that
// follow with the same load, tolerance and preconditioner; 0 where none is known.
int published_iterations(const Check& check, const Mesh& mesh) {
  const Parameters& p = check.parameters();
  const Index<3>& nodes = mesh.nodes();
  const bool same = !mesh.distorted() && p.real("poisson_ratio") == 0.3 && p.real("tolerance") == 1e-8;
  if (!same || nodes[0] != nodes[1] || nodes[1] != nodes[2]) return 0;
  constexpr struct { int nodes, iterations; } known[] = {{17, 161}, {33, 325}, {65, 652}, {129, 1305}};
  for (const auto& one : known) {
    if (nodes[0] == one.nodes) return one.iterations;
  }
  return 0;
}

// About 10 iterations an element on a side are needed; more where the material is nearly incompressible.
int most_iterations(const Check& check, const Mesh& mesh) {
  const auto asked = static_cast<int>(check.parameters().integer("iterations"));
  const Index<3>& nodes = mesh.nodes();
  return asked > 0 ? asked : 200 + 50 * std::max({nodes[0], nodes[1], nodes[2]});
}

// A step without sections, and one with them.
struct Untimed {
  Cg& cg;
  void start() { cg.start(); }
  void step() {
    cg.step([](Step, int) { return 0; });
  }
  int iteration() const { return cg.iteration(); }
  double residual() const { return cg.residual(); }
};

struct Timed {
  const System& system;
  Cg& cg;
  int ranks;

  void start() { cg.start(); }
  void step() {
    Section whole{section::cg};
    cg.step([this](Step step, int what) { return open(step, what); });
  }
  int iteration() const { return cg.iteration(); }
  double residual() const { return cg.residual(); }

 private:
  Section open(Step step, int what) const {
    switch (step) {
      case Step::halo:
        return Section(section::cg_halo, halo_work(system));
      case Step::spmv:
        return Section(section::cg_spmv, spmv_work(system.matrix()));
      case Step::precond:
        return Section(section::cg_precond, precond_work(system.mesh().own()));
      case Step::dot:
        return Section(section::cg_dot, dots_work(system.numbers(), what));
      case Step::reduction:
        return Section(section::cg_reduction, reduction_work(ranks, what));
      case Step::axpy:
        break;
    }
    return Section(section::cg_axpy, updates_work(system.numbers(), what));
  }
};

}  // namespace

Mesh make_mesh(const Check& check) {
  const Parameters& parameters = check.parameters();
  const Index<3> nodes = index3(parameters, "nodes");
  const Index<3> grid = rank_grid(parameters, nodes, check.ranks());
  Index<3> largest;
  for (std::size_t d = 0; d < 3; ++d) largest[d] = (nodes[d] + grid[d] - 1) / grid[d];
  // 14 of 27 blocks with an index, the inverse block, vectors of the solver and two more of proofs; and numbers of
  // nodes.
  constexpr double bytes_a_node = 14 * 77 + 72 + (Cg::vectors + 1 + 3) * 24;
  const double bytes = bytes_a_node * static_cast<double>(product(largest)) + Mesh::bytes(largest);
  check.require_memory(bytes, "a mesh of " + listed(nodes) + " nodes");
  return Mesh(nodes, grid, check.rank(), parameters.real("distortion"),
              static_cast<std::uint64_t>(parameters.integer("seed")));
}

Faults faults_of(const Check& check) {
  if (check.fault("stale_halo") && check.ranks() == 1) {
    refuse("--fault stale_halo needs at least 2 ranks, because a single one has no halo; start it with mpirun -n 2");
  }
  const bool last = check.rank() == check.ranks() - 1;
  return {.drop_coupling = last && check.fault("drop_coupling"),
          .unsymmetric_preconditioner = last && check.fault("unsymmetric_preconditioner"),
          .stale_halo = last && check.fault("stale_halo")};
}

void prove_operator(Check& check, const Subject& subject) {
  check.prove(validity::reference, reference_error(subject));
  check.prove(validity::symmetry, asymmetry(subject));
  check.prove(validity::rigid_motion, rigid_force(subject));
  const PreconditionerProof preconditioner = preconditioner_proof(subject);
  check.prove(validity::preconditioner_symmetry, preconditioner.asymmetry);
  check.prove(validity::preconditioner_positive, -preconditioner.least);
  check.prove(validity::preconditioner_inverse, preconditioner.inverse);
}

Replay solve(Check& check, const Subject& subject, Cg& cg) {
  const double tolerance = check.parameters().real("tolerance");
  Untimed untimed{cg};
  Replay replay;
  const std::int64_t begin = monotonic_ns();
  replay.rehearse(untimed, most_iterations(check, subject.system.mesh()), tolerance);
  check.value("time_to_solution", "s", check.max_over_ranks(static_cast<double>(monotonic_ns() - begin) * 1e-9));

  const int published = published_iterations(check, subject.system.mesh());
  check.value("published_iterations", "1", published);
  check.value("iterations", "1", replay.iterations());
  check.value("residual", "1", replay.last());
  check.table(history_table("residual_history", "|r| / |b|", replay.residuals()));
  if (published > 0) {
    check.prove_near(validity::iterations, replay.iterations(), published, 0.01 * published, "1 % of it");
  }
  check.prove(validity::displacement, displacement_error(subject, cg.x()), 10 * tolerance + 1e-10,
              "10 times --tolerance and rounding");
  const Cg::Residuals residuals = cg.residuals(subject.norm);
  check.value("true_residual", "1", residuals.anew);
  check.prove(validity::converged, replay.last(), tolerance, "--tolerance");
  check.prove(validity::residual, residuals.gap);
  return replay;
}

void time_iterations(Check& check, const System& system, Cg& cg, Replay replay) {
  Timed timed{system, cg, check.ranks()};
  const bool read = check.parameters().flag("read");
  const Buffer<double>& matrix = system.matrix().value;
  const auto numbers = static_cast<std::int64_t>(matrix.size());
  double total = 0;
  check.repeat([&](int repetition) {
    replay.step(timed, repetition);
    if (!read) return;
    MPI_Barrier(check.comm());  // the ranks share the memory, so they read at the same time
    Section s{section::read, {.flop = numbers, .bytes_read = 8 * numbers}};
#pragma omp parallel reduction(+ : total)
    total += sum(share_of(numbers, omp_get_thread_num(), omp_get_num_threads()), matrix.data());
  });
  check.prove(validity::repeat, check.max_over_ranks(replay.deviation()));
  check.value("working_set_bytes", "B", check.sum_over_ranks(working_set_bytes(system)));
  check.value("fill", "1", system.matrix().fill());
  if (read) check.value("sum_of_matrix", "1", check.sum_over_ranks(total));  // read for its time: used, so not left out
}

}  // namespace tenken::elasticity
