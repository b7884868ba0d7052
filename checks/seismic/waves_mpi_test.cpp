// Steps on many ranks and threads, in every variant, against one block that takes all of the box: equal bits.
#include <doctest/doctest.h>

#include <cstring>

#include "this_check.hpp"
#include "waves.hpp"
#include "work.hpp"

using namespace tenken;
using namespace tenken::seismic;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;
int ranks() {
  int n = 1;
  MPI_Comm_size(world, &n);
  return n;
}

Problem varied(const Index<3>& cells, Absorb absorb, bool surface, bool viscous) {
  Problem p;
  p.cells = cells;
  p.contrast = 0.2;
  p.absorb = absorb;
  p.surface = surface;
  p.layer = 5;
  p.quality = viscous ? Quality{60, 40} : Quality{};
  p.pulse.duration = 0.3;
  p.dt = 0.9 * longest_step(p);
  const Index<3> middle{cells[0] / 2, cells[1] / 2, cells[2] / 2};
  p.sources = moment(p, {1, 2, 3, 0.5, -0.7, 0.4}, middle);
  p.receivers = {{vx, {middle[0] + 3, middle[1] - 2, middle[2]}}, {szz, {middle[0] - 4, middle[1] + 5, middle[2]}}};
  return p;
}

template <class Real>
void run(Waves<Real>& waves, std::int64_t steps) {
  waves.block().record(steps);
  while (waves.step() < steps) waves.pass();
}

// Whether each value of this rank's block has the bits of the same cell in `all`.
template <class Real>
bool same_bits(const Block<Real>& part, const Block<Real>& all) {
  const Layout &l = part.layout(), &whole = all.layout();
  bool same = true;
  for (int c = 0; c < components; ++c) {
    for (int j = 0; j < l.ny; ++j) {
      for (int i = 0; i < l.nx; ++i) {
        const Real* const a = part.field(static_cast<Component>(c)) + l.at(i, j);
        const Real* const b =
            all.field(static_cast<Component>(c)) + whole.at(i + part.offset()[0], j + part.offset()[1]);
        same = same && std::memcmp(a, b, static_cast<std::size_t>(l.nz) * sizeof(Real)) == 0;
      }
    }
  }
  return same;
}

std::vector<Index<2>> grids() {
  std::vector<Index<2>> all;
  for (int x = 1; x <= ranks(); ++x) {
    if (ranks() % x == 0) all.push_back({x, ranks() / x});
  }
  return all;
}

}  // namespace

TEST_CASE("every variant has the bits of one block on any ranks and threads") {
  constexpr std::int64_t steps = 8;
  for (const auto& [absorb, surface, viscous] :
       {std::tuple{Absorb::pml, true, false}, std::tuple{Absorb::sponge, false, true},
        std::tuple{Absorb::none, true, true}}) {
    const Problem p = varied({76, 70, 16}, absorb, surface, viscous);
    Waves<float> alone(MPI_COMM_SELF, p, {});
    run(alone, steps);
    for (const Index<2>& grid : grids()) {
      for (const auto& each :
           {std::pair{Variant::classic, 1}, std::pair{Variant::fused, 1}, std::pair{Variant::one_sweep, 1},
            std::pair{Variant::temporal, 2}, std::pair{Variant::temporal, 4}}) {
        const Variant variant = each.first;  // Clang 14 captures no structured binding
        const int depth = each.second;
        if (depth * 8 + 1 > std::min(p.cells[0] / grid[0], p.cells[1] / grid[1])) continue;  // refused by the program
        Waves<float> waves(world, p,
                           {.variant = variant,
                            .grid = grid,
                            .depth = depth,
                            .tile = 12,
                            .threads = 3,
                            .past_caches = variant == Variant::classic});
        run(waves, steps);
        CAPTURE(static_cast<int>(variant));
        CAPTURE(grid[0]);
        CHECK(same_bits(waves.block(), alone.block()));
        for (const auto& trace : waves.block().traces()) {
          CHECK(trace.values == alone.block().traces()[trace.receiver].values);
        }
      }
    }
  }
}

TEST_CASE("Fortran agrees with C++") {
  if (!this_check::built::classic_fortran) return;
  const Problem p = varied({40, 36, 32}, Absorb::pml, true, false);
  Waves<float> expected(world, p, {.variant = Variant::classic, .grid = grids().front()});
  Waves<float> found(world, p, {.variant = Variant::classic_fortran, .grid = grids().front(), .threads = 2});
  run(expected, 8);
  run(found, 8);
  const Layout& l = found.block().layout();
  for (int c = 0; c < components; ++c) {
    double most = 0, off = 0;
    for (int j = 0; j < l.ny; ++j) {
      for (std::int64_t at = l.at(0, j); at < l.at(l.nx, j) - unit; ++at) {
        const float a = expected.block().field(static_cast<Component>(c))[at],
                    b = found.block().field(static_cast<Component>(c))[at];
        most = std::max<double>(most, std::abs(a));
        off = std::max<double>(off, std::abs(a - b));
      }
    }
    CHECK(off <= 1e-5 * most);
  }
}

TEST_CASE("a stale halo is far from the answer") {
  if (ranks() == 1) return;
  const Problem p = varied({48, 48, 32}, Absorb::pml, true, false);
  Waves<float> alone(MPI_COMM_SELF, p, {});
  Waves<float> stale(world, p, {.grid = grids().front(), .stale_halo = true});
  run(alone, 60);
  run(stale, 60);
  int same = same_bits(stale.block(), alone.block()) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, world);
  CHECK(same == 0);
}

TEST_CASE("messages are the columns that derivatives of the neighbour reach") {
  const Problem p = varied({40, 36, 32}, Absorb::pml, true, false);
  for (const Index<2>& grid : grids()) {
    Waves<float> waves(world, p, {.grid = grid});
    const Block<float>& block = waves.block();
    const std::int64_t column = block.layout().stride() * std::int64_t{sizeof(float)};
    const bool x = grid[0] > 1, y = grid[1] > 1;
    if (ranks() != 2) continue;
    // Three columns deep in all: the velocity along the direction and four others... counted below by direction.
    const std::int64_t face = x ? block.layout().ny : block.layout().nx;
    const bool lower = x ? block.offset()[0] == 0 : block.offset()[1] == 0;
    CHECK((x != y));
    // To the upper neighbour goes what lies below its lower end: two columns of a field half a cell further, else one.
    const std::int64_t velocity = lower ? 2 + 1 + 1 : 1 + 2 + 2, stress = lower ? 1 + 2 + 2 : 2 + 1 + 1;
    CHECK(waves.velocity_exchange().bytes() == velocity * face * column);
    CHECK(waves.stress_exchange().bytes() == stress * face * column);
    CHECK(waves.velocity_exchange().messages() == 1);
  }
}
