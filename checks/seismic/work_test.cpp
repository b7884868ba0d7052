// Flop and bytes of work.hpp, counted by brute force: flop of the kernel with numbers that count, bytes of the plain
// twin.
#include <doctest/doctest.h>

#include "simd/vec.hpp"
#include "testing/counting.hpp"

namespace tenken {
template <>
constexpr int native_width<testing::Counted> = 1;
}  // namespace tenken

#include "block.hpp"
#include "layers.hpp"
#include "ref.hpp"
#include "work.hpp"

using namespace tenken;
using namespace tenken::seismic;
using tenken::testing::Counted;
using tenken::testing::counted_flop;
using tenken::testing::Watched;

namespace {

constexpr int columns = 3, depth = unit;

// Three columns of a row, with room around them; every array is of ones.
struct Arrays {
  Layout layout{columns, 1, depth};
  std::vector<Counted> values = std::vector<Counted>(static_cast<std::size_t>(60 * layout.size()), 1.0);
  std::vector<Counted> factors = std::vector<Counted>(static_cast<std::size_t>(depth), 1.0);
  std::vector<Damping<Counted>> damping = std::vector<Damping<Counted>>(static_cast<std::size_t>(columns));
  View<Counted> view;
  Layers<Counted> layers;

  Counted* array(int n) { return values.data() + n * layout.size(); }
  Arrays() {
    int n = 0;
    for (Counted*& v : view.v) v = array(n++);
    for (Counted*& s : view.s) s = array(n++);
    view.density = array(n++);
    view.lambda = array(n++);
    view.compliance = array(n++);
    for (Counted*& slope : view.slope) slope = array(n++);
    view.memory = array(n);
    n += mechanisms * stresses;
    view.dx = layout.stride();
    view.dy = layout.row();
    for (Counted** psi : {&layers.x, &layers.y, &layers.z}) {
      *psi = array(n);
      n += 3;
    }
    layers.at_cell_x = layers.at_half_x = damping.data();
    layers.at_cell_z = layers.at_half_z = {factors.data(), factors.data(), factors.data()};
  }
  std::ptrdiff_t row() const { return layout.at(0, 0); }
};

template <class Use>
std::int64_t flop_a_point(std::int64_t constants, const Use& use) {
  counted_flop = 0;
  use();
  const std::int64_t flop = counted_flop - constants;
  CHECK(flop % (columns * depth) == 0);
  return flop / (columns * depth);
}

template <class From, bool X, bool Y, bool Z>
std::int64_t velocity_flop() {
  Arrays a;
  return flop_a_point(1, [&] { update_velocity<From, X, Y, Z>(a.view, a.layers, a.row(), 0, columns, 0, depth); });
}
template <class From, bool Viscous, bool X, bool Y, bool Z>
std::int64_t stress_flop() {
  Arrays a;
  return flop_a_point(1,
                      [&] { update_stress<From, Viscous, X, Y, Z>(a.view, a.layers, a.row(), 0, columns, 0, depth); });
}

}  // namespace

TEST_CASE("flop of a point are those that the kernel executes") {
  CHECK(velocity_flop<Stored, false, false, false>() == velocity_work.flop);
  CHECK(velocity_flop<Made, false, false, false>() == fused_velocity_work.flop);
  CHECK(velocity_flop<Made, true, false, false>() == fused_velocity_work.flop + damped_work.flop);
  CHECK(velocity_flop<Made, true, true, true>() == fused_velocity_work.flop + 3 * damped_work.flop);
  CHECK(stress_flop<Stored, false, false, false, false>() == stress_work.flop);
  CHECK(stress_flop<Made, false, false, false, false>() == fused_stress_work.flop);
  CHECK(stress_flop<Made, false, false, true, false>() == fused_stress_work.flop + damped_work.flop);
  CHECK(stress_flop<Made, true, false, false, false>() == fused_stress_work.flop + memory_work.flop);
  Arrays a;
  CHECK(flop_a_point(0, [&] { store_slopes<SlopesOf::stress, false>(a.view, a.row(), 0, columns, 0, depth); }) ==
        slopes_of_stress_work.flop);
  CHECK(flop_a_point(0, [&] { store_slopes<SlopesOf::velocity, false>(a.view, a.row(), 0, columns, 0, depth); }) ==
        slopes_of_velocity_work.flop);
}

TEST_CASE("bytes of a point are those of arrays that a twin reads and writes") {
  for (const bool viscous : {false, true}) {
    Problem p;
    p.cells = {8, 8, 16};
    p.periodic = true;
    p.surface = false;
    p.absorb = Absorb::none;
    p.quality = viscous ? Quality{50, 30} : Quality{};
    p.dt = 0.5 * longest_step(p);
    const std::int64_t points = product(p.cells);
    const auto none = [](std::size_t, double) { return std::array<double, 3>{1, 0, 0}; };
    const auto whole = [](std::size_t, int) { return 1.0; };
    // An array is read or written once, whatever the number of its uses.
    const auto counted = [&](auto&& update) {
      Plain<Watched<double>> plain(p, none, whole);
      std::vector<std::array<std::int64_t, 2>> before;
      for (int c = 0; c < components; ++c) before.push_back({plain.field(c).read(), plain.field(c).written()});
      update(plain);
      PerPoint each{};
      for (int c = 0; c < components; ++c) {
        each.read += plain.field(c).read() > 0 ? 1 : 0;
        each.written += plain.field(c).written() > 0 ? 1 : 0;
        CHECK(plain.field(c).read() % points == 0);
        CHECK(plain.field(c).written() % points == 0);
      }
      return each;
    };
    const PerPoint velocity = counted([](auto& plain) { plain.velocity(0); });
    CHECK(velocity.read + 1 == fused_velocity_work.read);  // and the density
    CHECK(velocity.written == fused_velocity_work.written);
    const PerPoint stress = counted([](auto& plain) { plain.stress(0); });
    CHECK(stress.read + 2 == fused_stress_work.read);  // and lambda and the compliance
    CHECK(stress.written == fused_stress_work.written);
  }
}

TEST_CASE("points in layers are those that a count finds") {
  Problem p;
  p.cells = {26, 24, 48};
  p.layer = 6;
  p.dt = 0.5 * longest_step(p);
  for (const bool surface : {true, false}) {
    p.surface = surface;
    Block<float> block(p, {0, 0, 0}, p.cells, false, 1);
    std::vector<Row> rows;
    for (int j = 0; j < p.cells[1]; ++j) rows.push_back({j, 0, p.cells[0]});
    const int top = surface ? 0 : padded(p.layer), bottom = (p.cells[2] - p.layer) / unit * unit;
    Counts expected;
    for (std::int64_t n = 0; n < product(p.cells); ++n) {
      const Index<3> at = coordinates<3>(n, p.cells);
      int directions = 0;
      for (std::size_t d = 0; d < 2; ++d) directions += at[d] < p.layer || at[d] >= p.cells[d] - p.layer ? 1 : 0;
      directions += at[2] < top || at[2] >= bottom ? 1 : 0;  // in z whole vectors
      ++expected.points;
      expected.damped += directions;
      if (directions == 0) continue;
      ++expected.tapered;
    }
    const Counts whole = block.counts(rows, Part::whole), kernel = block.counts(rows, Part::kernel);
    const Counts absorb = block.counts(rows, Part::absorb);
    CHECK(whole.points == expected.points);
    CHECK(whole.damped == expected.damped);
    CHECK(kernel.points == expected.points - expected.tapered);
    CHECK(kernel.damped == 0);
    CHECK(absorb.points == expected.tapered);
    CHECK(absorb.damped == expected.damped);
  }
}

TEST_CASE("layers lie at the sides that are asked for") {
  Problem p;
  p.layer = 7;
  p.surface = true;
  using Ends = std::array<int, 2>;
  const auto ends = [&](Sides sides) {
    p.sides = sides;
    return std::array{layers_at(p, 0), layers_at(p, 1), layers_at(p, 2)};
  };
  CHECK((ends(Sides::all) == std::array{Ends{7, 7}, Ends{7, 7}, Ends{0, 7}}));
  CHECK((ends(Sides::x) == std::array{Ends{7, 7}, Ends{0, 0}, Ends{0, 0}}));
  CHECK((ends(Sides::lower_x) == std::array{Ends{7, 0}, Ends{0, 0}, Ends{0, 0}}));
}
