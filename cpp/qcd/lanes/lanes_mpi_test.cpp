#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "measure/open_sections.hpp"
#include "qcd/gauge/every_grid.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/lanes/even_odd.hpp"
#include "qcd/lanes/fields.hpp"
#include "qcd/lanes/hopping.hpp"
#include "qcd/vectors.hpp"
#include "qcd/wilson.hpp"

using namespace tenken;
using namespace tenken::qcd;
using namespace tenken::qcd::every_grid;

namespace {

constexpr double kappa = 0.137;
constexpr Configuration hot{Start::hot, 0, 7};
// On 1, 2 and 4 ranks some grid leaves blocks for the widest vectors, others blocks of extent 2 and 1 vector in
// between.
constexpr Index4 cut{8, 4, 8, 4};
const auto untimed = [](Step) { return 0; };

// A table whose sections nobody looks at.
constexpr std::array<SectionSpec, 2> specs = {{{"solve", Kind::compute, false, ""}, {"part", Kind::compute, true, ""}}};
constexpr CheckTable table{"", "", "", "", {}, specs, {}, {}};
constexpr Leaf part{1};
constexpr SolverSections sections{{0}, part, part, part, part, part, part, part, part, part, part};

double global_norm(const Field& x) {
  double sum = norm2(x);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::sqrt(sum);
}

// gamma_5 D psi on the hopping term `h`, by the formula of both parities.
template <class H>
Field h_by_lanes(const Geometry& g, H& h, const Field& psi) {
  using Real = typename H::Number;
  using V = typename H::V;
  LaneField<V> parts[parities] = {make_lane_field<V>(h.lanes()), make_lane_field<V>(h.lanes())};
  LaneField<V> result = make_lane_field<V>(h.lanes());
  Field out = make_field(g);
  for (int p = 0; p < parities; ++p) convert<double, Real>(g, p, 0, nullptr, psi.data(), &h.lanes(), parts[p].data());
  for (int p = 0; p < parities; ++p) {
    h.apply(p, result, parts[1 - p], &parts[p], static_cast<Real>(kappa), untimed);
    convert<Real, double>(g, p, 0, &h.lanes(), result.data(), nullptr, out.data());
  }
  return out;
}

bool even_blocks(const Index4& lattice, const Index4& grid) {
  for (int mu = 0; mu < dimensions; ++mu) {
    if (lattice[mu] / grid[mu] % 2 != 0) return false;
  }
  return true;
}

struct Fixture {
  explicit Fixture(const Index4& lattice, const Index4& grid)
      : geometry(lattice, grid, world_rank()),
        links(make_links(geometry, hot)),
        around(MPI_COMM_WORLD, geometry, links),
        wilson(MPI_COMM_WORLD, geometry, links, kappa),
        psi(make_field(geometry)),
        expected(make_field(geometry)) {
    fill_random(geometry, 3, Purpose::source, psi);
    wilson.apply(expected, psi);
  }
  Geometry geometry;
  Links links;
  ExtendedLinks around;
  Wilson wilson;
  Field psi, expected;
};

// action(width) for every width of vectors up to 64 bytes, narrower and wider ones than those of this build included.
template <class Real, class Action>
void for_every_width(Action action) {
  const auto each = [&]<int... log>(std::integer_sequence<int, log...>) {
    (action(std::integral_constant<int, (widest_width<Real> >> log)>{}), ...);
  };
  each(std::make_integer_sequence < int, sizeof(Real) == sizeof(float) ? 5 : 4 > {});
}

template <class Real>
void check_every_width(Fixture& f, bool once, std::span<const int> all_rows) {
  for_every_width<Real>([&](auto width) {
    if (widest_lanes(f.geometry, width) < width) return;
    for (const int rows : all_rows) {
      const Lanes lanes(f.geometry, width);
      const auto h = make_hopping<Real, width>(MPI_COMM_WORLD, lanes, f.around, rows, {.once = once});
      Field out = h_by_lanes(f.geometry, *h, f.psi);
      axpy(-1, f.expected, out);
      CAPTURE(rows);
      CAPTURE(lanes.width);
      CHECK(global_norm(out) / global_norm(f.psi) < (sizeof(Real) == sizeof(float) ? 1e-6 : 1e-14));
    }
  });
}

// gamma_5 D psi by the hopping term of a solver.
Field d_of(Fixture& f, const EvenOddOptions& options, int* width = nullptr) {
  const auto solver = make_even_odd(MPI_COMM_WORLD, f.geometry, f.around, kappa, f.psi, options);
  if (width != nullptr) *width = solver->width();
  Field d = make_field(f.geometry), out = make_field(f.geometry);
  solver->operate(0, d, f.psi);
  for (int site = 0; site < f.geometry.sites; ++site) {
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) out[site].at[(s + 2) % spins][c] = d[site].at[s][c];
    }
  }
  return out;
}

}  // namespace

TEST_CASE("every width, precision and storage of links gives the plain operator, in every grid") {
  int widest = 0;
  std::size_t turn = 0;
  for (const Index4& grid : grids_of(cut)) {
    if (!even_blocks(cut, grid)) continue;
    Fixture f(cut, grid);
    widest = std::max(widest, widest_lanes(f.geometry, widest_width<float>));
    for (const bool once : {false, true}) {
      // On several ranks with either number of rows by turns of the grids; every pair is seen on one.
      constexpr int rows[] = {3, 2};
      const std::span<const int> some =
          one_rank() ? std::span<const int>(rows) : std::span(rows).subspan((turn + once) % 2, 1);
      check_every_width<double>(f, once, some);
      check_every_width<float>(f, once, some);
    }
    ++turn;
  }
  CHECK(widest == widest_width<float>);
}

TEST_CASE("a solver takes the widest vectors that are asked for and fit the block") {
  const auto width_of = [](const Index4& block, const EvenOddOptions& options) {
    Fixture f({block[0], block[1], block[2], block[3] * world_ranks()}, {1, 1, 1, world_ranks()});
    int width = 0;
    Field out = d_of(f, options, &width);
    axpy(-1, f.expected, out);
    CHECK(global_norm(out) / global_norm(f.psi) < (options.mixed ? 1e-6 : 1e-14));
    return width;
  };
  for (const int bytes : {16, 32, 64}) {
    if (!one_rank() && bytes != 64) continue;  // narrower vectors in divided lattices: the case above
    CAPTURE(bytes);
    const EvenOddOptions twice{.links = "18", .storage = "twice", .vector_bytes = bytes};
    const EvenOddOptions single{.mixed = true, .links = "12", .storage = "once", .vector_bytes = bytes};
    CHECK(width_of({4, 4, 4, 4}, twice) == bytes / 8);
    CHECK(width_of({4, 4, 4, 4}, single) == bytes / 4);
    CHECK(width_of({4, 2, 6, 4}, twice) == std::min(bytes / 8, 4));
    CHECK(width_of({4, 2, 2, 4}, single) == 4);
    CHECK(width_of({2, 8, 2, 2}, single) == 2);
    CHECK(width_of({2, 6, 2, 2}, twice) == 1);
  }
  CHECK(width_of({4, 4, 4, 4}, {.mixed = true}) == native_width<float>);
}

TEST_CASE("all ranks store links alike, as the least of their caches holds them") {
  Fixture f({4, 4, 4, 4 * world_ranks()}, {1, 1, 1, world_ranks()});
  const auto kept = [&](double bytes_a_site, double of_the_last_rank) {
    const bool is_last = world_rank() == world_ranks() - 1;
    const double bytes = f.geometry.sites * (is_last ? of_the_last_rank : bytes_a_site);
    const auto solver = make_even_odd(MPI_COMM_WORLD, f.geometry, f.around, kappa, f.psi, {.cache = {0, bytes, 0}});
    return std::pair(solver->link_reals(), solver->link_copies());
  };
  CHECK(kept(2000, 2000) == std::pair(18, 2));
  CHECK(kept(2000, 1300) == std::pair(18, 1));
  CHECK(kept(2000, 0) == std::pair(12, 1));
}

TEST_CASE("overlap, barrier and links stored twice change no bit") {
  const Index4 lattice{8, 4, 4, 8};
  Fixture f(lattice, choose_grid(lattice, world_ranks()));
  const Field with = d_of(f, {.links = "12", .storage = "once"});
  const Field without = d_of(f, {.links = "12", .storage = "once", .overlap = false});
  const Field barred = d_of(f, {.links = "12", .storage = "once", .barrier = true});
  const Field twice = d_of(f, {.links = "12", .storage = "twice"});
  for (const Field* const other : {&without, &barred, &twice}) {
    CHECK(std::memcmp(with.data(), other->data(), with.size() * sizeof(Spinor)) == 0);
  }
}

namespace {

// D psi_k of each of K fields, by one hopping term for all K, in both parities.
template <class Real, int width>
std::vector<Field> d_together(const Fixture& f, int rows, std::span<const Field> psi, const HoppingOptions& options) {
  using V = Vec<Real, width>;
  const Geometry& g = f.geometry;
  const auto together = static_cast<int>(psi.size());
  const Lanes lanes(g, width, together);
  const auto h = make_hopping<Real, width>(MPI_COMM_WORLD, lanes, f.around, rows, options);
  LaneField<V> parts[parities] = {make_lane_field<V>(lanes), make_lane_field<V>(lanes)};
  LaneField<V> result = make_lane_field<V>(lanes);
  std::vector<Field> out;
  for (int k = 0; k < together; ++k) {
    out.push_back(make_field(g));
    for (int p = 0; p < parities; ++p) {
      convert<double, Real>(g, p, k, nullptr, psi[static_cast<std::size_t>(k)].data(), &lanes, parts[p].data());
    }
  }
  for (int p = 0; p < parities; ++p) {
    h->apply(p, result, parts[1 - p], p == 0 ? &parts[p] : nullptr, static_cast<Real>(kappa), untimed);
    for (int k = 0; k < together; ++k) {
      convert<Real, double>(g, p, k, &lanes, result.data(), nullptr, out[static_cast<std::size_t>(k)].data());
    }
  }
  return out;
}

std::vector<Field> random_fields(const Geometry& g, int count) {
  std::vector<Field> fields;
  for (int k = 0; k < count; ++k) {
    fields.push_back(make_field(g));
    fill_random(g, static_cast<std::uint64_t>(20 + k), Purpose::source, fields.back());
  }
  return fields;
}

template <class Real, int width>
void same_bits_together(const Fixture& f, int rows) {
  const std::vector<Field> psi = random_fields(f.geometry, 3);
  std::vector<Field> alone;
  for (const Field& each : psi) {
    alone.push_back(std::move(d_together<Real, width>(f, rows, std::span(&each, 1), {})[0]));
  }
  for (const std::size_t together : {2, 3}) {
    for (const bool overlap : {true, false}) {
      const auto got = d_together<Real, width>(f, rows, std::span(psi).first(together), {.overlap = overlap});
      for (std::size_t k = 0; k < together; ++k) {
        CAPTURE(k);
        CHECK(std::memcmp(got[k].data(), alone[k].data(), got[k].size() * sizeof(Spinor)) == 0);
      }
    }
  }
}

}  // namespace

TEST_CASE("fields together have the bits of each alone, in every grid") {
  int widest = 0;
  for (const Index4& grid : grids_of(cut)) {
    if (!even_blocks(cut, grid)) continue;
    const Fixture f(cut, grid);
    const int lanes = widest_lanes(f.geometry, widest_width<float>);
    widest = std::max(widest, lanes);
    if (lanes >= native_width<double>) {
      same_bits_together<double, native_width<double>>(f, 3);
      same_bits_together<double, native_width<double>>(f, 2);
    }
    if (lanes >= native_width<float>) same_bits_together<float, native_width<float>>(f, 3);
    if (lanes >= 16) same_bits_together<float, 16>(f, 3);  // lanes swapped at faces of every divided dimension
  }
  CHECK(widest == widest_width<float>);
}

TEST_CASE("links stored once are for one field") {
  const Fixture f({4, 4, 8, 16}, choose_grid({4, 4, 8, 16}, world_ranks()));
  const std::vector<Field> psi = random_fields(f.geometry, 2);
  CHECK_THROWS_WITH_AS((d_together<double, 1>(f, 3, psi, {.once = true})), doctest::Contains("stored twice"),
                       UserError);
}

TEST_CASE("sums and coefficients of fields together are those of each") {
  const Fixture f({4, 4, 8, 16}, choose_grid({4, 4, 8, 16}, world_ranks()));
  const std::vector<Field> psi = random_fields(f.geometry, 3);
  using V = Vec<double, native_width<double>>;
  const Lanes lanes(f.geometry, native_width<double>, 3), single(f.geometry, native_width<double>);
  LaneField<V> x = make_lane_field<V>(lanes), y = make_lane_field<V>(lanes);
  for (int k = 0; k < 3; ++k) {
    convert<double, double>(f.geometry, 0, k, nullptr, psi[static_cast<std::size_t>(k)].data(), &lanes, x.data());
  }
  copy(x, y);
  const std::vector<double> up{1, 2, -3};  // y_k = (1 + up_k) x_k, then x_k - y_k = -up_k x_k
  axpy<double>(up, x, y);
  xpay<double>(x, std::vector<double>{-1, -1, -1}, y);
  std::vector<double> of_x(3), of_y(3), alone(1);
  norm2<double>(x, std::span<double>(of_x));
  norm2<double>(y, std::span<double>(of_y));
  for (std::size_t k = 0; k < 3; ++k) {
    LaneField<V> one = make_lane_field<V>(single);
    convert<double, double>(f.geometry, 0, 0, nullptr, psi[k].data(), &single, one.data());
    norm2<double>(one, std::span<double>(alone));
    CHECK(of_x[k] == alone[0]);
    CHECK(of_y[k] == doctest::Approx(up[k] * up[k] * of_x[k]).epsilon(1e-12));
  }
  clear(y);
  norm2<double>(y, std::span<double>(of_y));
  CHECK(of_y == std::vector<double>{0, 0, 0});
}

TEST_CASE("a block with an odd extent is refused with the sizes that work") {
  const Geometry six({6, 4, 4, 4 * world_ranks()}, {1, 1, 1, world_ranks()}, world_rank());
  CHECK(widest_lanes(six, 16) == 8);  // x is not cut
  CHECK(widest_lanes(six, 4) == 4);
  CHECK_NOTHROW(Lanes(six, 8));
  CHECK_THROWS_AS(Lanes(six, 16), std::invalid_argument);
  const Geometry three({3, 4, 4, 4 * world_ranks()}, {1, 1, 1, world_ranks()}, world_rank());
  CHECK_THROWS_WITH_AS(Lanes(three, 1), doctest::Contains("extent 3 in x; even-odd solvers need a multiple of 2"),
                       UserError);
}

TEST_CASE("every solver reaches its tolerance, as the plain operator sees it") {
  OpenSections open(table);
  const Index4 lattice{4, 4, 4, 16};
  Fixture f(lattice, choose_grid(lattice, world_ranks()));
  constexpr double tolerance = 1e-11;
  for (const bool mixed : {false, true}) {
    for (const char* const links : {"18", "12"}) {
      const auto solver = make_even_odd(MPI_COMM_WORLD, f.geometry, f.around, kappa, f.psi,
                                        {.mixed = mixed, .links = links, .sections = sections});
      solver->start();
      while (solver->residual() >= tolerance && solver->iteration() < 400) solver->step();
      Field x = make_field(f.geometry), hx = make_field(f.geometry);
      solver->solution(x);
      f.wilson.apply(hx, x);
      for (int site = 0; site < f.geometry.sites; ++site) {
        for (int s = 0; s < spins; ++s) {
          for (int c = 0; c < colours; ++c) {
            Complex<double>& z = hx[site].at[(s + 2) % spins][c];
            z = z - f.psi[site].at[s][c];
          }
        }
      }
      CHECK(global_norm(hx) / global_norm(f.psi) < 1.01 * tolerance);
      CHECK((solver->updates() > 1) == mixed);
    }
  }
}

TEST_CASE("right-hand sides solved together have the iterates of each alone") {
  OpenSections open(table);
  const Index4 lattice{4, 4, 4, 16};
  const Fixture f(lattice, choose_grid(lattice, world_ranks()));
  const std::vector<Field> b = random_fields(f.geometry, 3);
  constexpr int iterations = 25;
  for (const bool mixed : {false, true}) {
    const EvenOddOptions options{.mixed = mixed, .links = "18", .sections = sections};
    const auto group = make_even_odd(MPI_COMM_WORLD, f.geometry, f.around, kappa, b, options);
    group->start();
    for (int n = 0; n < iterations; ++n) group->step();
    std::vector<Field> x = random_fields(f.geometry, 3);
    group->solution(x);
    Field one = make_field(f.geometry);
    for (std::size_t k = 0; k < b.size(); ++k) {
      const auto alone = make_even_odd(MPI_COMM_WORLD, f.geometry, f.around, kappa, b[k], options);
      alone->start();
      for (int n = 0; n < iterations; ++n) alone->step();
      alone->solution(one);
      // In mixed precision updates come when any of the group needs one, so that iterates differ by single rounding.
      if (!mixed) CHECK(group->residual(static_cast<int>(k)) == alone->residual());
      axpy(-1, one, x[k]);
      CHECK(global_norm(x[k]) <= (mixed ? 1e-6 : 1e-15) * global_norm(one));
    }
  }
}
