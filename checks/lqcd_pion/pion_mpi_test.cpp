#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "free.hpp"
#include "measure/open_sections.hpp"
#include "qcd/boundary.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/lanes/even_odd.hpp"
#include "qcd/pion.hpp"
#include "qcd/proofs.hpp"
#include "qcd/vectors.hpp"
#include "run.hpp"
#include "sections.hpp"
#include "testing/sanitized.hpp"
#include "this_check.hpp"

using namespace tenken;
using namespace tenken::lqcd_pion;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;

namespace {

constexpr double kappa = 0.12;
constexpr double tolerance = 1e-12;
const Index4 lattice{testing::sanitized ? 2 : 4, 4, 4, 8};
const Index4 small{2, 4, 4, 6};  // where no lanes are needed
constexpr Signs twisted{-1, 1, 1, -1};

void open_sections() { static const OpenSections open(this_check::table); }

// A gauge field, turned by a random rotation of colour at every site where asked.
Links links_of(const Geometry& g, Start start, bool turned = false) {
  const Configuration configuration{start, 0.5, 7};
  Links links = make_links(g, configuration);
  for (int site = 0; site < g.sites && turned; ++site) {
    const Index4 x = g.global(site);
    for (int mu = 0; mu < directions; ++mu) {
      Link& u = links[static_cast<std::size_t>(directions) * site + mu];
      u = rotation(11, g.position_of(x)) * u *
          adjoint(rotation(11, g.position_of(moved(g.block.lattice(), x, mu, +1))));
    }
  }
  return links;
}

struct Fixture {
  Fixture(MPI_Comm comm, const Geometry& g, Links some, const Signs& boundary) : geometry(g), links(std::move(some)) {
    open_sections();
    cross_boundary(geometry, boundary, links);
    h.emplace(comm, geometry, links, kappa);
    normal = make_normal(comm, *h, sections);
  }
  const Geometry& geometry;
  Links links;
  std::optional<Wilson> h;
  std::unique_ptr<LinearSolver> normal;
};

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t t = 0; t < a.size(); ++t) worst = std::max(worst, std::abs(a[t] - b[t]) / b[t]);
  return worst;
}

// Under sanitizers each way of solving once; as on several ranks, where sums over ranks and halos of several fields are
// what is new.
constexpr std::array all_together{1, 3, 12};
constexpr std::array all_tolerances{1e-1, 1e-4, 1e-8, 1e-12, 1e-16};
constexpr std::array two_tolerances{1e-4, 1e-16};

Geometry divided(const Index4& some) { return {some, choose_grid(some, world_ranks()), world_rank()}; }

}  // namespace

TEST_CASE("the operator and its proofs are right with every choice of signs, in every grid") {
  const Index4 small{4, 6, 2, 8};
  constexpr Signs all_signs[] = {{1, 1, 1, -1}, {-1, 1, -1, 1}, {-1, -1, -1, -1}};
  std::size_t turn = 0;
  for (const Index4& grid : grids_of(small)) {
    const std::span<const Signs> some =  // on several ranks by turns
        one_rank() ? std::span<const Signs>(all_signs) : std::span(all_signs).subspan(turn++ % 3, 1);
    for (const Signs& boundary : some) {
      const Geometry g(small, grid, world_rank());
      const Links plain = links_of(g, Start::hot);
      const ExtendedLinks made(MPI_COMM_WORLD, g, plain);
      Fixture f(MPI_COMM_WORLD, g, links_of(g, Start::hot), boundary);
      const Subject right{MPI_COMM_WORLD, g, 7, made, f.links, *f.h, {}, boundary};
      CHECK(reference_error(right) < 1e-14);
      CHECK(hermiticity_error(right) < 1e-12);
      CHECK(covariance_error(right) < 1e-13);
      CHECK(free_field_error(right) < 1e-12);
      CHECK(links_error(MPI_COMM_WORLD, f.links) > 1);  // which is why links are proved without signs
      const Subject wrong{MPI_COMM_WORLD, g, 7, made, f.links, *f.h, {}, {-boundary[0], 1, 1, 1}};
      CHECK(reference_error(wrong) > 1e-3);
    }
  }
}

TEST_CASE("without a gauge field the correlator is the sum over momenta") {
  if (!one_rank()) return;  // on several the correlator is that of one, as is proved below
  const Geometry g = divided(small);
  for (const Signs& boundary : {periodic, Signs{1, 1, 1, -1}, twisted}) {
    Fixture f(MPI_COMM_WORLD, g, links_of(g, Start::cold), boundary);
    const Pion got = pion(MPI_COMM_WORLD, *f.h, *f.normal, {1, 0, 3, 5}, tolerance);
    const FreePion expected = free_pion(small, boundary, kappa);
    CHECK(got.residual <= tolerance);
    CHECK(difference(got.correlator, expected.correlator) < 1e-10);
    CHECK(free_pion_error(got.correlator, expected) <= tolerance);
    // The measure of the proof: residuals of r |b| in all sources cannot do more than r.
    const Pion rough = pion(MPI_COMM_WORLD, *f.h, *f.normal, {1, 0, 3, 5}, 1e-3);
    CHECK(free_pion_error(rough.correlator, expected) <= rough.residual);
    CHECK(free_pion_error(rough.correlator, expected) > 1e-8);
  }
  const std::vector<double> other = free_pion(small, {1, 1, 1, -1}, kappa).correlator;
  CHECK(difference(free_pion(small, periodic, kappa).correlator, other) > 1e-2);
}

TEST_CASE("the correlator is gauge invariant, and symmetric in its source block") {
  if (!one_rank()) return;
  const Geometry g = divided(small);
  Fixture f(MPI_COMM_WORLD, g, links_of(g, Start::warm), twisted);
  Fixture turned(MPI_COMM_WORLD, g, links_of(g, Start::warm, true), twisted);
  const Pion one = pion(MPI_COMM_WORLD, *f.h, *f.normal, {}, tolerance);
  const Pion other = pion(MPI_COMM_WORLD, *turned.h, *turned.normal, {}, tolerance);
  CHECK(difference(one.correlator, other.correlator) < 1e-10);
  const auto total = std::accumulate(one.correlator.begin(), one.correlator.end(), 0.0);
  CHECK(total == doctest::Approx(one.sum).epsilon(1e-13));
  CHECK(one.asymmetry < 2 * tolerance);
}

TEST_CASE("every solver on any number of ranks has the same correlator") {
  const Geometry whole(lattice, {1, 1, 1, 1}, 0);
  Fixture alone(MPI_COMM_SELF, whole, links_of(whole, Start::hot), twisted);
  const Pion expected = pion(MPI_COMM_SELF, *alone.h, *alone.normal, {0, 2, 1, 3}, tolerance);
  const Geometry g = divided(lattice);
  Fixture f(MPI_COMM_WORLD, g, links_of(g, Start::hot), twisted);
  const ExtendedLinks around(MPI_COMM_WORLD, g, f.links);
  const Field b = make_field(g);
  for (const bool mixed : {false, true}) {
    const auto solver =
        make_even_odd(MPI_COMM_WORLD, g, around, kappa, b, {.mixed = mixed, .links = "18", .sections = sections});
    const Pion got = pion(MPI_COMM_WORLD, *f.h, *solver, {0, 2, 1, 3}, tolerance);
    CHECK(difference(got.correlator, expected.correlator) < 1e-10);
    CHECK(got.residual <= tolerance);
  }
  const Pion plain = pion(MPI_COMM_WORLD, *f.h, *f.normal, {0, 2, 1, 3}, tolerance);
  CHECK(difference(plain.correlator, expected.correlator) < 1e-10);
}

TEST_CASE("point sources solved together have the same correlator as one after the other") {
  const Geometry g = divided(lattice);
  Fixture f(MPI_COMM_WORLD, g, links_of(g, Start::hot), twisted);
  const ExtendedLinks around(MPI_COMM_WORLD, g, f.links);
  for (const bool mixed : {false, true}) {
    for (const double enough : {1e-11, 1e-16}) {
      if ((!one_rank() || testing::sanitized) && enough < 1e-11) continue;
      Pion one;
      for (const int together : all_together) {
        if (together == 3 ? one_rank() && testing::sanitized : together > 3 && !one_rank()) continue;
        const std::vector<Field> b = make_fields(g, together);
        const auto solver =
            make_even_odd(MPI_COMM_WORLD, g, around, kappa, b, {.mixed = mixed, .links = "18", .sections = sections});
        const Pion got = pion(MPI_COMM_WORLD, *f.h, *solver, {0, 2, 1, 3}, enough);
        CHECK(got.residual <= got.limit);
        if (together == 1) {
          one = got;
          continue;
        }
        CHECK(difference(got.correlator, one.correlator) < (enough < 1e-12 ? 1e-13 : 1e-10));
        CHECK(std::abs(got.iterations - one.iterations) <= (mixed ? one.iterations / 10 : 0));
      }
    }
  }
}

TEST_CASE("a zero among right-hand sides has the solution zero and leaves the others alone") {
  const Geometry g = divided(lattice);
  Fixture f(MPI_COMM_WORLD, g, links_of(g, Start::hot), twisted);
  const ExtendedLinks around(MPI_COMM_WORLD, g, f.links);
  for (const bool mixed : {false, true}) {
    std::vector<Field> b = make_fields(g, 3), x = make_fields(g, 3);
    fill_random(g, 3, Purpose::source, b[0]);
    fill_random(g, 4, Purpose::source, b[2]);
    const auto solver =
        make_even_odd(MPI_COMM_WORLD, g, around, kappa, b, {.mixed = mixed, .links = "18", .sections = sections});
    const std::vector<Solved> solved = solve_to(MPI_COMM_WORLD, *f.h, *solver, b, tolerance, x);
    for (const Solved& each : solved) CHECK(each.residual <= tolerance);
    CHECK(solved[0].iterations > 0);
    CHECK(solved[1].iterations == 0);
    CHECK(norm2(x[1]) == 0);
    CHECK(norm2(x[2]) > 0);
    // Iterated on with a solution that is exact, and without anybody who stops it.
    solver->start();
    for (int n = 0; n < 30; ++n) solver->step();
    CHECK(solver->residual(1) == 0);
    CHECK(solver->residual() < 1e-3);
  }
}

TEST_CASE("a tolerance below rounding gives what double precision has") {
  const Geometry g = divided(lattice);
  Fixture f(MPI_COMM_WORLD, g, links_of(g, Start::hot), twisted);
  const ExtendedLinks around(MPI_COMM_WORLD, g, f.links);
  std::vector<Field> b = make_fields(g, 1), x = make_fields(g, 1);
  fill_random(g, 3, Purpose::source, b[0]);
  const auto solver =
      make_even_odd(MPI_COMM_WORLD, g, around, kappa, b, {.mixed = true, .links = "18", .sections = sections});
  const Solved solved = solve_to(MPI_COMM_WORLD, *f.h, *solver, b, 1e-16, x)[0];
  CHECK(solved.limit > 1e-16);
  CHECK(solved.limit < 1e-14);
  CHECK(solved.residual <= solved.limit);
}

TEST_CASE("every solver reaches every tolerance at every kappa, as the plain operator sees it") {
  const Geometry g = divided(lattice);
  const Links links = links_of(g, Start::warm);
  const ExtendedLinks around(MPI_COMM_WORLD, g, links);
  std::vector<Field> b = make_fields(g, 1), x = make_fields(g, 1);
  fill_random(g, 3, Purpose::source, b[0]);
  open_sections();
  for (const double some : {0.09, 0.12, 0.13}) {
    if ((!one_rank() || testing::sanitized) && some != 0.12) continue;
    Wilson h(MPI_COMM_WORLD, g, links, some);
    std::unique_ptr<LinearSolver> solvers[] = {
        make_normal(MPI_COMM_WORLD, h, sections),
        make_even_odd(MPI_COMM_WORLD, g, around, some, b[0], {.links = "18", .sections = sections}),
        make_even_odd(MPI_COMM_WORLD, g, around, some, b[0], {.mixed = true, .links = "18", .sections = sections}),
    };
    for (const auto& solver : solvers) {
      for (const double enough : testing::sanitized ? std::span<const double>(two_tolerances) : all_tolerances) {
        const Solved solved = solve_to(MPI_COMM_WORLD, h, *solver, b, enough, x)[0];
        CAPTURE(some);
        CAPTURE(enough);
        CAPTURE(solver == solvers[0]);
        CHECK(solved.residual <= solved.limit);
        CHECK(solved.limit <= std::max(enough, 1e-13));
      }
    }
  }
}

TEST_CASE("what says something else is refused") {
  const auto parameters = [](std::vector<const char*> words) {
    words.insert(words.begin(), "lqcd_pion");
    return Parameters(this_check::table, static_cast<int>(words.size()), words.data());
  };
  CHECK(boundary_of(parameters({})) == periodic);
  CHECK(boundary_of(parameters({"--boundary", "-1,1,1,-1"})) == twisted);
  CHECK_THROWS_WITH_AS(boundary_of(parameters({"--boundary", "1,1,0,1"})), doctest::Contains("must be 1 (periodic)"),
                       UserError);
  CHECK_THROWS_WITH_AS(boundary_of(parameters({"--boundary", "1,1,1,-1", "--links", "12", "--solver", "mixed"})),
                       doctest::Contains("leave --links out or give 18"), UserError);
  CHECK(together_asked(parameters({"--solver", "mixed", "--together", "12"})) == 12);
  CHECK(together_asked(parameters({"--solver", "normal"})) == 1);
  for (const auto& [words, sentence] : std::initializer_list<std::pair<std::vector<const char*>, const char*>>{
           {{"--together", "5"}, "--together 5 must divide the 12 point sources"},
           {{"--together", "12", "--solver", "normal"}, "--together 12 needs an even-odd solver"},
           {{"--together", "2", "--storage", "once"}, "links stored twice"}}) {
    CHECK_THROWS_WITH_AS(together_asked(parameters(words)), doctest::Contains(sentence), UserError);
  }
}
