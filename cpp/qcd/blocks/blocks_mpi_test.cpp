#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/open_sections.hpp"
#include "qcd/blocks/inner.hpp"
#include "qcd/boundary.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/nested.hpp"
#include "qcd/solver.hpp"
#include "qcd/vectors.hpp"
#include "testing/sanitized.hpp"

using namespace tenken;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;

namespace {

constexpr double kappa = 0.12, csw = 1.2;
constexpr Configuration warm{Start::warm, 0.3, 7};

// A table whose sections nobody looks at.
constexpr std::array<SectionSpec, 2> specs = {{{"step", Kind::compute, false, ""}, {"part", Kind::compute, true, ""}}};
constexpr CheckTable table{"", "", "", "", {}, specs, {}, {}};
constexpr Leaf part{1};
constexpr BlockSections sections{{0}, {0}, part, part, part, part, part, part, part, part, part};
constexpr SolverSections of_solver{{0}, part, part, part, part, part, part, part, part, part, part};

double global(double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return x;
}
double length(const Field& x) { return std::sqrt(global(norm2(x))); }

struct Fixture {
  explicit Fixture(const Index4& lattice, const Index4& grid, Signs boundary = periodic, double clover = csw)
      : geometry(lattice, grid, world_rank()),
        links(made(geometry, boundary)),
        around(MPI_COMM_WORLD, geometry, links),
        h(MPI_COMM_WORLD, geometry, links, kappa),
        in(make_field(geometry)) {
    if (clover != 0) {
      term = make_clover(around, kappa, clover);
      inverse = invert_clover(geometry, *term).field;
      h.set_clover(&*term);
    }
    fill_random(geometry, 5, Purpose::right, in);
  }
  static Links made(const Geometry& g, const Signs& boundary) {
    Links links = make_links(g, warm);
    cross_boundary(g, boundary, links);
    return links;
  }
  const CloverField* divisor() const { return inverse ? &*inverse : nullptr; }
  std::unique_ptr<InnerSolver> inner(const InnerOptions& options) const {
    InnerOptions with = options;
    with.sections = sections;
    return make_inner(MPI_COMM_WORLD, geometry, around, divisor(), kappa, with);
  }
  // T^-1 D x by the plain operator.
  Field divided(const Field& x) {
    Field hx = make_field(geometry), out = make_field(geometry);
    h.apply(hx, x);
    gamma_5(hx, out);
    if (inverse) {
      for (int site = 0; site < geometry.sites; ++site) out[site] = clover_times((*inverse)[site], out[site]);
    }
    return out;
  }
  // |in - D' z - rest| / |in|
  double sweep_error(InnerSolver& solver, double* left = nullptr) {
    Field z = make_field(geometry), rest = make_field(geometry);
    solver.sweep(z, rest, in);
    Field dz = divided(z);
    axpy(-1, in, dz);
    if (left != nullptr) *left = length(dz) / length(in);
    axpy(1, rest, dz);
    return length(dz) / length(in);
  }

  Geometry geometry;
  Links links;
  ExtendedLinks around;
  Wilson h;
  std::optional<CloverField> term, inverse;
  Field in;
};

struct Cut {
  Index4 lattice, block;
};
const std::vector<Cut> cuts = {
    {{8, 8, 4, 4}, {4, 4, 2, 2}}, {{4, 8, 4, 8}, {2, 2, 2, 4}}, {{4, 4, 12, 4}, {2, 2, 6, 2}}};

// Of the grids, those whose ranks have whole blocks; the first of them where a sanitizer makes tests slow.
std::vector<Index4> grids_for(const Cut& cut) {
  std::vector<Index4> grids;
  for (const Index4& grid : grids_of(cut.lattice)) {
    bool whole = true;
    for (int mu = 0; mu < directions; ++mu) whole = whole && cut.lattice[mu] / grid[mu] % cut.block[mu] == 0;
    if (whole && (!testing::sanitized || grids.empty())) grids.push_back(grid);
  }
  return grids;
}

}  // namespace

TEST_CASE("the operator in blocks is the plain one, and the procedure knows its residual, in every grid") {
  OpenSections open(table);
  for (const Cut& cut : cuts) {
    for (const Index4& grid : grids_for(cut)) {
      for (const double clover : {0.0, csw}) {
        Fixture f(cut.lattice, grid, {1, 1, 1, -1}, clover);
        const auto solver = f.inner({.block = cut.block, .preconditioner = {.steps = 2, .cycles = 2}});
        Field out = make_field(f.geometry);
        solver->operate(out, f.in);
        axpy(-1, f.divided(f.in), out);
        CHECK(length(out) / length(f.in) < 1e-6);
        CHECK(f.sweep_error(*solver) < 1e-5);
        const auto minres =
            f.inner({.block = cut.block, .preconditioner = {.solver = BlockSolver::minres, .steps = 2}});
        CHECK(f.sweep_error(*minres) < 1e-5);
      }
    }
  }
}

TEST_CASE("more steps and more cycles leave less") {
  OpenSections open(table);
  const Cut& cut = cuts[0];
  Fixture f(cut.lattice, grids_for(cut).front());
  for (const BlockSolver kind : {BlockSolver::ssor, BlockSolver::minres}) {
    std::vector<double> left;
    for (const SchwarzOptions& options : {SchwarzOptions{kind, 1, 1}, {kind, 2, 1}, {kind, 8, 1}, {kind, 8, 3}}) {
      left.push_back(0);
      f.sweep_error(*f.inner({.block = cut.block, .preconditioner = options}), &left.back());
    }
    CHECK(std::is_sorted(left.rbegin(), left.rend()));
    CHECK(left.back() < left.front() / 4);
  }
}

TEST_CASE("the procedure gives the same on any number of ranks") {
  OpenSections open(table);
  const Cut& cut = cuts[1];
  const Geometry whole(cut.lattice, {1, 1, 1, 1}, 0);
  for (const BlockSolver kind : {BlockSolver::ssor, BlockSolver::minres}) {
    const SchwarzOptions options{kind, 3, 2};
    const Links links = Fixture::made(whole, periodic);
    const ExtendedLinks around(MPI_COMM_SELF, whole, links);
    const CloverField inverse = invert_clover(whole, make_clover(around, kappa, csw)).field;
    const auto alone = make_inner(MPI_COMM_SELF, whole, around, &inverse, kappa,
                                  {.block = cut.block, .preconditioner = options, .sections = sections});
    Field in = make_field(whole), z = make_field(whole), rest = make_field(whole);
    fill_random(whole, 5, Purpose::right, in);
    alone->sweep(z, rest, in);
    for (const Index4& grid : grids_for(cut)) {
      Fixture f(cut.lattice, grid);
      const auto together = f.inner({.block = cut.block, .preconditioner = options});
      Field my_z = make_field(f.geometry), my_rest = make_field(f.geometry);
      together->sweep(my_z, my_rest, f.in);
      double worst = 0;
      for (int site = 0; site < f.geometry.sites; ++site) {
        const auto at = static_cast<std::size_t>(f.geometry.global_position(site));
        for (int s = 0; s < spins; ++s) {
          for (int c = 0; c < colours; ++c) {
            worst = std::max(worst, std::abs(my_z[site].at[s][c].re - z[at].at[s][c].re));
            worst = std::max(worst, std::abs(my_rest[site].at[s][c].im - rest[at].at[s][c].im));
          }
        }
      }
      CHECK(worst < 1e-5);
    }
  }
}

TEST_CASE("all solvers have the solution of conjugate gradients on the normal equations") {
  OpenSections open(table);
  const Cut& cut = cuts[0];
  for (const Index4& grid : grids_for(cut)) {
    Fixture f(cut.lattice, grid, {1, -1, 1, -1});
    const auto normal = make_normal(MPI_COMM_WORLD, f.h, of_solver);
    normal->take(f.in);
    normal->start();
    while (normal->residual() > 1e-13) normal->step();
    Field expected = make_field(f.geometry), r = make_field(f.geometry);
    normal->solution(expected);
    for (const int kind : {0, 1, 2, 3}) {
      std::unique_ptr<InnerSolver> inner;
      if (kind > 0) {
        inner =
            f.inner({.block = cut.block,
                     .schwarz = kind > 1,
                     .preconditioner = {.solver = kind == 2 ? BlockSolver::ssor : BlockSolver::minres, .steps = 3}});
      }
      NestedSolver solver(f.h, MPI_COMM_WORLD, inner.get(), {.tolerance = 1e-11, .hop = part, .sections = sections});
      solver.take(f.in);
      solver.start();
      while (!(solver.residual() < 1e-11)) {
        REQUIRE(solver.iteration() < 200);
        solver.step();
      }
      Field x = make_field(f.geometry);
      solver.solution(x);
      CHECK(residual_of(MPI_COMM_WORLD, f.h, f.in, x, r) / length(f.in) < 1e-11);
      axpy(-1, expected, x);
      CHECK(length(x) / length(expected) < 1e-9);
      CHECK(solver.updates() >= 1);
      CHECK(solver.residual_error(0, 0) < 1e-14);
    }
  }
}

TEST_CASE("a block that is the whole lattice and solved well gives one outer iteration of two inner ones") {
  if (!one_rank()) return;
  OpenSections open(table);
  const Index4 lattice{4, 4, 4, 8};
  Fixture f(lattice, {1, 1, 1, 1}, {1, 1, 1, -1});
  const auto inner = f.inner({.block = lattice, .single = true, .preconditioner = {.steps = 60}, .tolerance = 1e-5});
  CHECK(f.sweep_error(*inner) < 1e-5);
  NestedSolver solver(f.h, MPI_COMM_WORLD, inner.get(), {.tolerance = 1e-9, .hop = part, .sections = sections});
  solver.take(f.in);
  solver.start();
  solver.step();
  CHECK(solver.residual() < 1e-9);
  CHECK(solver.inner_steps() == 2);
}

TEST_CASE("an answer of single precision alone is not a solution") {
  OpenSections open(table);
  const Cut& cut = cuts[0];
  Fixture f(cut.lattice, grids_for(cut).front());
  const auto inner = f.inner({.block = cut.block, .tolerance = 1e-10, .most_steps = 100});
  NestedSolver solver(f.h, MPI_COMM_WORLD, inner.get(),
                      {.tolerance = 1e-10, .hop = part, .sections = sections, .untested = true});
  solver.take(f.in);
  solver.start();
  solver.step();
  CHECK(solver.residual() < 1e-10);
  Field x = make_field(f.geometry), r = make_field(f.geometry);
  solver.solution(x);
  CHECK(residual_of(MPI_COMM_WORLD, f.h, f.in, x, r) / length(f.in) > 1e-9);
}

TEST_CASE("lost faces, wrong colours and stale messages show in the residual of the procedure") {
  OpenSections open(table);
  const Cut& cut = cuts[0];
  Fixture f(cut.lattice, grids_for(cut).front());
  const auto error = [&](BlockFaults faults) {
    return f.sweep_error(*f.inner({.block = cut.block, .preconditioner = {.cycles = 2}, .faults = faults}));
  };
  CHECK(error({}) < 1e-5);
  CHECK(error({.lost_face = true}) > 1e-3);
  CHECK(error({.wrong_colour = true}) > 1e-3);
  CHECK((error({.stale_send = true}) > 1e-3) == (world_ranks() > 1));
}

TEST_CASE("blocks that cannot be are refused with the extents that can") {
  const Geometry g({8, 6, 4, 4}, {1, 1, 1, 1}, 0);
  const auto refusal = [&](const Index4& block) {
    try {
      blocks_of_rank(g, block);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal({4, 1, 2, 2}).find("odd in y") != std::string::npos);
  CHECK(refusal({4, 2, 2, 2}).find("3 blocks in y") != std::string::npos);
  CHECK(refusal({3, 2, 2, 2}).find("does not divide the extent 8 of a rank's lattice in x; possible in x: 2, 4") !=
        std::string::npos);
  CHECK(refusal({16, 2, 2, 2}).find("larger than") != std::string::npos);
  CHECK(refusal({8, 2, 2, 2}).find("1 block in x") != std::string::npos);
  CHECK(blocks_of_rank(Geometry({8, 8, 4, 4}, {1, 1, 1, 1}, 0), {4, 4, 2, 2}) == Index4{2, 2, 2, 2});
}
