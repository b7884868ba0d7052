// The layout that a trial chooses, and what a checkpoint makes of it.
#include "trial.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "coarse_silicon.hpp"
#include "input.hpp"

using namespace tenken;
using namespace tenken::tddft;

namespace {

Settings free_layout(Layout layout, const dft::Grid& grid) {
  Settings settings;
  settings.vector_bytes = 64;
  settings.by_trial = true;
  take_layout(settings, layout, grid);
  return settings;
}

dft::Share all(const dft::System& system, std::int64_t k_count) { return {{0, k_count}, {0, system.bands()}}; }

}  // namespace

TEST_CASE("the layout of the shorter step is taken, empty bands and idle threads counted") {
  dft::System system = silicon(1);
  const Settings settings = free_layout(Layout::points, system.grid);
  system.electrons = 32;
  CHECK(faster_layout({.points = 2, .bands = 1.9}, system, settings, all(system, 1), 1) == Layout::bands);
  CHECK(faster_layout({.points = 2, .bands = 2.1}, system, settings, all(system, 1), 1) == Layout::points);
  system.electrons = 10;  // 5 bands: 8 in blocks of 4
  CHECK(faster_layout({.points = 2, .bands = 1.9}, system, settings, all(system, 1), 1) == Layout::points);
  CHECK(faster_layout({.points = 2, .bands = 1.2}, system, settings, all(system, 1), 1) == Layout::bands);
  system.electrons = 16;  // 8 bands: 2 each for 4 threads, or a block for two of them
  CHECK(faster_layout({.points = 2, .bands = 1.2}, system, settings, all(system, 1), 4) == Layout::points);
  CHECK(faster_layout({.points = 2, .bands = 1.2}, system, settings, all(system, 2), 4) == Layout::bands);
}

TEST_CASE("a trial of any size ends in times of both layouts") {
  const dft::System system = silicon(1);
  for (const int threads : {1, 3}) {
    const Trial trial = try_layouts(system, free_layout(Layout::points, system.grid), all(system, 1), threads, 1);
    CHECK(trial.points > 0);
    CHECK(trial.bands > 0);
    CHECK(trial.points + trial.bands < 1e9);
  }
}

TEST_CASE("a run goes on in the layout of its checkpoint where the layout is free, else in the layout asked for") {
  const dft::System system = silicon(4);
  const dft::GroundState start = ground(system);
  Electrons first(system, start, free_layout(Layout::bands, system.grid), 1);
  std::stringstream file;
  first.save(file);
  Settings other = free_layout(Layout::points, system.grid);
  for (const bool by_trial : {true, false}) {
    other.by_trial = by_trial;
    Electrons next(system, {start.k_range, start.mine}, other, 1);
    file.clear();
    file.seekg(0);
    REQUIRE(next.restore(file));
    CHECK(next.settings().form.layout == (by_trial ? Layout::bands : Layout::points));
    CHECK(next.orbitals() == first.orbitals());
  }
}
