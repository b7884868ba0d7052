// Runs on 1 ranks.
// Waves in a full space farther away and on a finer grid than the proofs of a launch.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "flush.hpp"
#include "one_block.hpp"
#include "proofs.hpp"

using namespace tenken;
using namespace tenken::seismic;

namespace {

double error(double points, double wavelengths, int margin) {
  flush_small_values(1);
  const Subject subject{.comm = MPI_COMM_SELF, .plan = {}, .faults = {}, .quality = {}};
  return full_space(subject, points, wavelengths, SourceKind::both, margin).error;
}

}  // namespace

TEST_CASE("velocities five wavelengths away, 10 cells a wavelength") { CHECK(error(10, 5, 14) < 0.03); }

// Take minutes: only the long tests run them.
TEST_CASE("long: velocities two and five wavelengths away, 20 cells a wavelength" * doctest::skip()) {
  const double two = error(20, 2, 44), five = error(20, 5, 44);  // 128^3 and 188^3 cells
  MESSAGE("relative L2 of a trace: two wavelengths away " << two << ", five " << five);
  CHECK(two < 0.01);
  CHECK(five < 0.01);
}

TEST_CASE("an explosion makes no S wave") {
  Problem p;
  p.cells = {48, 48, 48};
  p.surface = false;
  p.absorb = Absorb::none;
  p.pulse.duration = 20 * p.h / p.material.vs;
  p.dt = 0.9 * longest_step(p);
  p.sources = moment(p, {1, 1, 1, 0, 0, 0}, {24, 24, 24});
  Block<float> block(p, {0, 0, 0}, p.cells, false, 1);
  for (int n = 0; n < 60; ++n) step(block, n);
  // S turns and P spreads. Both derivatives are those of the update, so that S is not mixed up with an error of D.
  double turning = 0, spreading = 0;
  const View<float>& w = block.view();
  const auto down = [&w](const float* f, std::ptrdiff_t d) {
    return w.near * (f[0] - f[-d]) + w.far * (f[d] - f[-2 * d]);
  };
  for_cells(block, [&](int, int, int, std::int64_t at) {
    const float *const x = w.v[0] + at, *const y = w.v[1] + at, *const z = w.v[2] + at;
    spreading = std::max<double>(spreading, std::abs(down(x, w.dx) + down(y, w.dy) + down(z, 1)));
    turning = std::max<double>(turning, std::abs(down(y + w.dx, w.dx) - down(x + w.dy, w.dy)));
    turning = std::max<double>(turning, std::abs(down(z + w.dy, w.dy) - down(y + 1, 1)));
  });
  CAPTURE(turning / spreading);
  CHECK(spreading > 0);
  CHECK(turning < 1e-3 * spreading);
}
