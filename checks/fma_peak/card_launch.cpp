#include "card_launch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/take_card.hpp"
#include "measure/clock.hpp"
#include "this_check.hpp"

namespace fma_peak {

namespace {

using namespace tenken;

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

// One precision: how it is timed, and what its passes show.
struct Timed {
  Precision precision;
  Leaf leaf;
  const char* clock;  // name of the value
  std::int64_t loops = 0;
  std::vector<double> hz = {};
};

}  // namespace

std::int64_t loops_on_card(device::Device& card, Precision precision, double microseconds) {
  constexpr std::int64_t fewest = 64 / device::unrolled;  // errors halve with each step: 53 bits and more
  const double wanted = microseconds * 1e3;
  std::int64_t loops = fewest;
  double ns = card.run(precision, loops).ns;
  // Short passes are mostly start. The pass before the last is long enough to measure the rate.
  while (ns < wanted / 8 && loops < std::int64_t{1} << 40) {
    loops *= 4;
    ns = card.run(precision, loops).ns;
  }
  return std::max<std::int64_t>(fewest, std::llround(static_cast<double>(loops) * wanted / std::max(ns, 1.0)));
}

void launch_on_card(Check& check, const device::Form& form) {
  const auto card = form.make_device(gpu::take_card(check, form.cards()));
  const gpu::Facts facts = card->facts();
  gpu::record_section_cost(check, facts.name, card->section_cost());  // subtracted nowhere
  const double microseconds = check.parameters().real("microseconds");
  Timed both[] = {{Precision::double_, this_check::section::double_, "device_clock/double"},
                  {Precision::single, this_check::section::single, "device_clock/single"}};
  for (Timed& each : both) each.loops = loops_on_card(*card, each.precision, microseconds);

  const double ns_per_tick = Clock().ns_per_tick();
  double error = 0;
  check.repeat([&](int) {
    for (Timed& each : both) {
      MPI_Barrier(check.comm());  // cards share the power of the node, and some ranks a card
      const device::Pass pass = card->run(each.precision, each.loops);
      add_sample(each.leaf, static_cast<std::int64_t>(pass.ns / ns_per_tick),
                 {.flop = card->flop_per_loop() * each.loops});
      error = greater(error, pass.error);
      each.hz.push_back(pass.hz);
    }
  });
  check.prove(this_check::validity::accumulators, check.max_over_ranks(error));
  // For the peak: multiprocessors x flop per cycle (machines/cores.toml) x this clock.
  for (const Timed& each : both) check.value(each.clock, "Hz", check.sum_over_ranks(median(each.hz)) / check.ranks());
  check.value("device_multiprocessors", "1", check.sum_over_ranks(facts.multiprocessors));
  check.value("device_capability", "1", 10 * facts.major + facts.minor);
}

}  // namespace fma_peak
