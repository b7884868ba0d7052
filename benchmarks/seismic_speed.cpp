// Variants of the check seismic in turn, on one rank:
//
//   seismic_speed CELLS THREADS ROUNDS CACHE
//
// CACHE: bytes of the last level. A cube without layers and without a surface, elastic; then `fused` in a viscoelastic
// medium and with layers. Printed, one JSON object, medians over the rounds: ns a point and step of each, GB/s of a
// triad over the arrays of `classic`, and of the box with layers ns a point inside and in layers.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/error.hpp"
#include "flush.hpp"
#include "in_turn.hpp"
#include "this_check.hpp"
#include "waves.hpp"

namespace {

using namespace tenken;
using namespace tenken::seismic;

// Ticks of the updates inside and in layers, of the last pass.
struct Split : Watch<Phase> {
  std::int64_t begin = 0;
  double inside = 0, layers = 0;
  void enter(Phase) override { begin = ticks_now(); }
  void leave(Phase phase) override {
    const auto taken = static_cast<double>(ticks_now() - begin);
    if (phase == Phase::update_vel || phase == Phase::update_stress) inside += taken;
    if (phase == Phase::absorb_vel || phase == Phase::absorb_stress) layers += taken;
  }
};

Problem cube(int cells, Absorb absorb, const Quality& quality) {
  Problem p;
  p.cells = {cells, cells, cells};
  p.contrast = 0.2;
  p.quality = quality;
  p.surface = false;
  p.absorb = absorb;
  p.pulse.duration = 1;
  p.dt = 0.9 * longest_step(p);
  p.sources = moment(p, {1, 1, 1, 0.5, 0, 0}, {cells / 2, cells / 2, cells / 2});
  return p;
}

void run(int argc, char** argv) {
  const auto number = [&](int at) { return argc > at ? std::atoi(argv[at]) : 0; };
  const int cells = number(1), threads = number(2), rounds = number(3);
  const double cache = argc > 4 ? std::atof(argv[4]) : 0;
  if (argc != 5 || cells < 48 || threads < 1 || rounds < 1) refuse("usage: seismic_speed CELLS THREADS ROUNDS CACHE");
  flush_small_values(threads);
  constexpr std::array<const char*, 8> names{"classic",   "classic_fortran", "fused",         "one_sweep",
                                             "temporal2", "temporal4",       "fused_viscous", "fused_layers"};
  constexpr std::array<Variant, 8> variants{
      Variant::classic,  this_check::built::classic_fortran ? Variant::classic_fortran : Variant::classic,
      Variant::fused,    Variant::one_sweep,
      Variant::temporal, Variant::temporal,
      Variant::fused,    Variant::fused};
  constexpr std::array<int, 8> depths{1, 1, 1, 1, 2, 4, 1, 1};
  std::array<std::unique_ptr<Waves<float>>, 8> waves;
  for (std::size_t n = 0; n < waves.size(); ++n) {
    const Problem p = cube(cells, n == 7 ? Absorb::pml : Absorb::none, n == 6 ? Quality{100, 50} : Quality{});
    Plan plan{.variant = variants[n], .depth = depths[n], .threads = threads};
    plan.tile = tile_for(p, plan, cache);
    plan.past_caches = n == 0 && Block<float>::bytes(p, p.cells, true) > cache;
    waves[n] = std::make_unique<Waves<float>>(MPI_COMM_SELF, p, plan);
  }
  const auto values = static_cast<std::size_t>(7 * waves[0]->block().layout().size());
  Buffer<float> a(values, Pages::huge, "the triad"), b(values, Pages::huge, "the triad"),
      c(values, Pages::huge, "the triad");
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t i = 0; i < values; ++i) a[i] = 0, b[i] = 1, c[i] = 2;

  Split split;
  std::vector<double> inside, layers;
  std::array<std::function<void()>, 9> actions;
  for (std::size_t n = 0; n < 7; ++n) actions[n] = [&waves, n] { waves[n]->pass(); };
  actions[7] = [&] {
    split.inside = split.layers = 0;
    waves[7]->pass(&split);
    inside.push_back(split.inside), layers.push_back(split.layers);
  };
  actions[8] = [&] {
    float* const to = a.data();
    const float *const x = b.data(), *const y = c.data();
#pragma omp parallel for simd num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < values; ++i) to[i] = x[i] + 0.42F * y[i];
  };
  const Clock clock;
  const auto ticks = times_in_turn<9>(rounds, actions, [] {});
  const double points = static_cast<double>(cells) * cells * cells;
  std::printf("{\"cells\": %d, \"threads\": %d", cells, threads);
  for (std::size_t n = 0; n < waves.size(); ++n) {
    if (n == 1 && !this_check::built::classic_fortran) continue;  // `classic` ran in its place
    std::printf(", \"%s\": %.4f", names[n], median(ticks[n]) * clock.ns_per_tick() / points / depths[n]);
  }
  std::vector<Row> rows = waves[7]->border();
  rows.insert(rows.end(), waves[7]->inner().begin(), waves[7]->inner().end());
  const auto of = [&](Part part) { return static_cast<double>(waves[7]->block().counts(rows, part).points); };
  std::printf(", \"inside\": %.4f, \"layers\": %.4f", median(inside) * clock.ns_per_tick() / of(Part::kernel),
              median(layers) * clock.ns_per_tick() / of(Part::absorb));
  std::printf(", \"triad\": %.3f}\n", 12.0 * static_cast<double>(values) / (median(ticks[8]) * clock.ns_per_tick()));
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_with_mpi(argc, argv, run); }
