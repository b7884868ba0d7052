// The kernels of the variant `cuda` as loops on the host, against the plain operator and the solvers of the host.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "device/cg.hpp"
#include "device/even_odd.hpp"
#include "device/vectors_run.hpp"
#include "gpu/runtime.hpp"
#include "measure/open_sections.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/vectors.hpp"
#include "sections.hpp"
#include "this_check.hpp"

using namespace tenken;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;
using lqcd::sections;
namespace device = tenken::lqcd::device;

namespace {

constexpr double kappa = 0.137;
constexpr Configuration hot{Start::hot, 0, 7};

struct Fixture {
  explicit Fixture(const Index4& lattice) : Fixture(lattice, choose_grid(lattice, world_ranks())) {}
  Fixture(const Index4& lattice, const Index4& grid)
      : geometry(lattice, grid, world_rank()),
        links(make_links(geometry, hot)),
        around(MPI_COMM_WORLD, geometry, links),
        h(MPI_COMM_WORLD, geometry, links, kappa),
        psi(make_field(geometry)) {
    fill_random(geometry, 3, Purpose::source, psi);
  }
  Geometry geometry;
  Links links;
  ExtendedLinks around;
  Wilson h;
  Field psi;
  std::unique_ptr<device::Device> card = device::on_host::make_device(0);
};

double global_norm(const Field& x) {
  double sum = norm2(x);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::sqrt(sum);
}

double difference(const Field& x, Field y) {
  axpy(-1, x, y);
  return global_norm(y) / global_norm(x);
}

Field plain(Fixture& f) {
  Field out = make_field(f.geometry);
  f.h.apply(out, f.psi);
  return out;
}

// H psi by the kernels, on the whole block or on its checkerboard.
template <class Real>
Field by_kernels(Fixture& f, bool halved, int rows, const device::HoppingOptions& options = {}) {
  const device::Sites sites = device::sites_of(f.geometry, halved);
  device::Hopping<Real> hopping(MPI_COMM_WORLD, *f.card, sites, f.around, rows, options);
  Field out = make_field(f.geometry);
  std::vector<device::DeviceField<Real>> in(2);
  auto result = device::make_device_field<Real>(*f.card, sites);
  for (int p = 0; p < device::parities_of(sites); ++p) {
    in[p] = device::make_device_field<Real>(*f.card, sites);
    device::write_field(*f.card, sites, p, f.psi, in[p]);
  }
  for (int p = 0; p < device::parities_of(sites); ++p) {
    hopping.apply(p, result, in[halved ? 1 - p : p], &in[p], static_cast<Real>(kappa), device::untimed);
    device::read_field(*f.card, sites, p, result, out);
  }
  return out;
}

}  // namespace

TEST_CASE("the operator of the kernels is the plain operator on odd sizes and on every grid") {
  // Blocks of 2, 3 and 5 sites among them.
  for (const Index4& lattice : {Index4{3, 5, 2, 8}, Index4{2, 4, 5, 3}, Index4{5, 6, 12, 2}}) {
    for (const Index4& grid : grids_of(lattice)) {
      Fixture f(lattice, grid);
      const Field expected = plain(f);
      CHECK(difference(expected, by_kernels<double>(f, false, 3)) < 1e-13);
      CHECK(difference(expected, by_kernels<float>(f, false, 3)) < 1e-6);
      CHECK(difference(expected, by_kernels<double>(f, false, 2)) < 1e-13);
    }
  }
}

TEST_CASE("the operator of the kernels is the plain operator on checkerboards") {
  for (const Index4& lattice : {Index4{4, 2, 6, 8}, Index4{2, 8, 4, 10}, Index4{12, 4, 2, 2}}) {
    for (const Index4& grid : grids_of(lattice)) {
      bool even = true;
      for (int mu = 0; mu < directions; ++mu) even = even && lattice[mu] / grid[mu] % 2 == 0;
      if (!even) continue;
      Fixture f(lattice, grid);
      const Field expected = plain(f);
      for (const int rows : {3, 2}) {
        CHECK(difference(expected, by_kernels<double>(f, true, rows)) < 1e-13);
        CHECK(difference(expected, by_kernels<float>(f, true, rows)) < 1e-6);
      }
    }
  }
}

TEST_CASE("overlap and barrier change no bit") {
  Fixture f({4, 4, 4, 8});
  const Field first = by_kernels<double>(f, true, 3);
  CHECK(difference(first, by_kernels<double>(f, true, 3, {.overlap = false, .barrier = true})) == 0);
}

TEST_CASE("sites and their numbers in blocks, checkerboards and faces are inverse to each other") {
  if (!one_rank()) return;
  for (const bool halved : {false, true}) {
    const Geometry g(halved ? Index4{4, 6, 2, 8} : Index4{3, 5, 2, 4}, {1, 1, 1, 1}, 0);
    const device::Sites sites = device::sites_of(g, halved);
    CHECK(sites.count() == (halved ? g.sites / 2 : g.sites));
    for (int parity = 0; parity < device::parities_of(sites); ++parity) {
      for (std::int32_t i = 0; i < sites.count(); ++i) {
        const device::Point x = sites.coordinates(parity, i);
        CHECK(sites.number(x) == i);
        if (halved) CHECK((x.at[0] + x.at[1] + x.at[2] + x.at[3]) % 2 == parity);
        for (int mu = 0; mu < directions; ++mu) {
          const device::Point y = sites.in_face(parity, mu, x.at[mu], sites.number_in_face(x, mu));
          for (int nu = 0; nu < directions; ++nu) CHECK(y.at[nu] == x.at[nu]);
        }
      }
    }
  }
  const Geometry odd({3, 4, 4, 4}, {1, 1, 1, 1}, 0);
  CHECK_THROWS_WITH_AS(device::sites_of(odd, true),
                       doctest::Contains("extent 3 in x; even-odd solvers need a multiple of 2"), UserError);
}

TEST_CASE("vector operations and sums are those of the host, and sums have the same bits every time") {
  Fixture f({3, 5, 2, 8});
  device::Device& card = *f.card;
  const device::Sites sites = device::sites_of(f.geometry, false);
  Field other = make_field(f.geometry);
  fill_random(f.geometry, 4, Purpose::right, other);
  auto x = device::make_device_field<double>(card, sites), y = device::make_device_field<double>(card, sites);
  device::write_field(card, sites, 0, f.psi, x);
  device::write_field(card, sites, 0, other, y);
  device::queue_dot(card, x, y);
  const double xy = card.sums().first;
  CHECK(std::abs(xy - dot(f.psi, other)) < 1e-12 * norm2(f.psi));
  device::queue_norms(card, x, y);
  const device::Sums norms = card.sums();
  CHECK(norms.first == doctest::Approx(norm2(f.psi)).epsilon(1e-14));
  CHECK(norms.second == doctest::Approx(norm2(other)).epsilon(1e-14));
  device::queue_norms(card, x, y);
  CHECK(card.sums().second == norms.second);

  Field out = make_field(f.geometry), expected = make_field(f.geometry);
  copy(other, expected);
  axpy(0.3, f.psi, expected);
  device::axpy(card, 0.3, x, y);
  device::read_field(card, sites, 0, y, out);
  CHECK(difference(expected, std::move(out)) < 1e-15);
  out = make_field(f.geometry);
  xpay(f.psi, -0.7, expected);
  device::xpay(card, x, -0.7, y);
  device::read_field(card, sites, 0, y, out);
  CHECK(difference(expected, std::move(out)) < 1e-15);

  auto single = device::make_device_field<float>(card, sites);
  device::convert(card, sites, x, single, false);
  device::copy(card, x, y);
  device::convert(card, sites, single, y, true);
  out = make_field(f.geometry);
  device::read_field(card, sites, 0, y, out);
  copy(f.psi, expected);
  axpy(1, f.psi, expected);
  const double rounded = difference(expected, std::move(out));
  CHECK(rounded < 1e-7);
  CHECK(rounded > 0);
}

TEST_CASE("conjugate gradients have the residuals and iterations of the host") {
  OpenSections open(this_check::table);
  Fixture f({4, 6, 2, 8});
  Cg on_host(MPI_COMM_WORLD, f.h, f.psi, sections);
  device::Cg cg(MPI_COMM_WORLD, *f.card, f.h, f.around, f.psi, {}, sections);
  on_host.start();
  cg.start();
  while (on_host.residual() > Cg::converged) {
    REQUIRE(on_host.iteration() < 400);
    on_host.step();
    if (cg.residual() > Cg::converged) cg.step();
    if (cg.iteration() <= 10) CHECK(cg.residual() == doctest::Approx(on_host.residual()).epsilon(1e-10));
  }
  CHECK(cg.residual() <= Cg::converged);
  CHECK(std::abs(cg.iteration() - on_host.iteration()) <= 0.02 * on_host.iteration());
  CHECK(difference(on_host.x(), cg.x()) < 1e-7);
  CHECK(cg.residual_error() < 1e-14);
}

TEST_CASE(
    "even-odd solvers have the residuals and iterations of the host, and reach their tolerance by the plain operator") {
  OpenSections open(this_check::table);
  Fixture f({4, 4, 4, 8});
  constexpr double tolerance = 1e-12;
  for (const bool mixed : {false, true}) {
    for (const int rows : {3, 2}) {
      const auto on_host =
          make_even_odd(MPI_COMM_WORLD, f.geometry, f.around, kappa, f.psi,
                        {.mixed = mixed, .links = rows == 3 ? "18" : "12", .storage = "twice", .sections = sections});
      const auto solver = device::make_even_odd(MPI_COMM_WORLD, *f.card, f.geometry, f.around, kappa, f.psi,
                                                {.mixed = mixed, .rows = rows, .sections = sections});
      on_host->start();
      solver->start();
      while (on_host->residual() > tolerance) {
        REQUIRE(on_host->iteration() < 500);
        on_host->step();
        if (solver->residual() > tolerance) solver->step();
        if (solver->iteration() <= 10) {
          CHECK(solver->residual() == doctest::Approx(on_host->residual()).epsilon(mixed ? 1e-5 : 1e-10));
        }
      }
      while (solver->residual() > tolerance && solver->iteration() < 500) solver->step();
      CHECK(std::abs(solver->iteration() - on_host->iteration()) <= std::max(1.0, 0.02 * on_host->iteration()));
      Field x = make_field(f.geometry), r = make_field(f.geometry);
      solver->solution(x);
      CHECK(residual_of(MPI_COMM_WORLD, f.h, f.psi, x, r) / global_norm(f.psi) < 1.01 * tolerance);
      CHECK((solver->updates() > 1) == mixed);
      CHECK(solver->link_reals() == 6 * rows);
    }
  }
}

TEST_CASE("iterations count the work of the solvers of the host") {
  Fixture f({4, 4, 4, 8});
  const auto work_of = [&](auto& solver) {
    OpenSections open(this_check::table);
    solver.start();
    solver.step();
    return open.work();
  };
  device::Cg cg(MPI_COMM_WORLD, *f.card, f.h, f.around, f.psi, {}, sections);
  Cg plain_cg(MPI_COMM_WORLD, f.h, f.psi, sections);
  const Work work = work_of(cg), expected = work_of(plain_cg);
  CHECK(work.flop == expected.flop);
  CHECK(work.messages == expected.messages);
  if (one_rank()) CHECK(work == expected);
  for (const bool mixed : {false, true}) {
    const auto on_host = make_even_odd(MPI_COMM_WORLD, f.geometry, f.around, kappa, f.psi,
                                       {.mixed = mixed, .links = "18", .storage = "twice", .sections = sections});
    const auto solver = device::make_even_odd(MPI_COMM_WORLD, *f.card, f.geometry, f.around, kappa, f.psi,
                                              {.mixed = mixed, .sections = sections});
    const Work of_solver = work_of(*solver);
    CHECK(of_solver.flop == work_of(*on_host).flop);
    CHECK(of_solver.messages == work_of(*on_host).messages);
    if (one_rank()) CHECK(of_solver == work_of(*on_host));
  }
}

TEST_CASE("a lattice that does not fit the device is refused with its sentence") {
  if (!one_rank()) return;
  Fixture f({4, 4, 4, 8});
  auto& stand_in = gpu::on_host::stand_in();
  const std::int64_t before = stand_in.card.memory_bytes;
  stand_in.card.memory_bytes = stand_in.in_use + (1 << 17);
  CHECK_THROWS_WITH_AS(device::make_even_odd(MPI_COMM_WORLD, *f.card, f.geometry, f.around, kappa, f.psi, {}),
                       doctest::Contains("for links failed"), UserError);
  stand_in.card.memory_bytes = before;
}
