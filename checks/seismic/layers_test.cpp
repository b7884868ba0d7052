// Absorbing layers: the energy that a wave leaves behind.
#include <doctest/doctest.h>

#include <algorithm>

#include "flush.hpp"
#include "one_block.hpp"

using namespace tenken;
using namespace tenken::seismic;

namespace {

Problem layered(int cells, Absorb absorb, int layer) {
  Problem p;
  p.cells = {cells, cells, cells};
  p.surface = false;
  p.absorb = absorb;
  p.layer = layer;
  p.pulse.duration = 20 * p.h / p.material.vs;
  p.dt = 0.9 * longest_step(p);
  p.sources = moment(p, {1, 1, 1, 0.5, 0, 0}, {cells / 2, cells / 2, cells / 2});
  return p;
}

}  // namespace

TEST_CASE("layers swallow a wave") {
  for (const auto& [absorb, layer, limit] : {std::tuple{Absorb::pml, 10, 1e-4}, std::tuple{Absorb::sponge, 20, 1e-2}}) {
    const Problem p = layered(64, absorb, layer);
    Block<float> block(p, {0, 0, 0}, p.cells, false, 1);
    double most = 0, left = 0;
    const int last = static_cast<int>((p.pulse.duration + 1.5 * 64 * p.h / p.material.vs) / p.dt);
    for (int n = 0; n < last; ++n) {
      step(block, n);
      if (n % 20 != 0 && n + 1 != last) continue;
      left = squares_of_velocity(block);
      most = std::max(most, left);
    }
    CAPTURE(left / most);
    CHECK(most > 0);
    CHECK(left < limit * most);
  }
}

// Takes minutes: only the long tests run it.
TEST_CASE("long: nothing grows in 10,000 steps with layers" * doctest::skip()) {
  flush_small_values(1);
  for (const bool surface : {false, true}) {
    Problem p = layered(48, Absorb::pml, 10);
    p.surface = surface;
    p.contrast = 0.2;
    p.dt = 0.9 * longest_step(p);
    Block<float> block(p, {0, 0, 0}, p.cells, false, 1);
    double first = 0, later = 0, most = 0;  // greatest: of steps 1,000 to 4,000, of 4,000 and later, of all
    for (int n = 0; n < 10000; ++n) {
      step(block, n);
      if (n % 20 != 0) continue;
      const double now = squares_of_velocity(block);
      most = std::max(most, now);
      double& of_part = n < 4000 ? first : later;
      if (n >= 1000) of_part = !(now <= of_part) ? now : of_part;
    }
    MESSAGE("left of the greatest energy after 1,000 steps: " << first / most << ", after 4,000: " << later / most);
    CAPTURE(surface);
    CHECK(first > 0);
    CHECK(first < 1e-3 * most);
    CHECK(later <= first);
  }
}
