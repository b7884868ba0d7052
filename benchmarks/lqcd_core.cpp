// The hopping term on 8x8x8x8 against the multiply-add peak of the same core, in turn within milliseconds:
//
//   lqcd_core double|single ROUNDS
//
// A round is a burst of multiply-adds, two hops from the same input and two of which the second takes the first one's
// output, each of about 0.1 ms, with a probe before and after. The probe counts how many instructions a cycle this
// thread may start: a stretch of no-operations, which needs nothing else. Where a core is shared, as hardware threads
// of a virtual machine are with strangers, it gets about half of them, the multiply-adds lose next to nothing and the
// hopping term a third, which no counter of the system tells. Printed, one JSON object: the share of rounds in which
// all probes reached 95 % of the best one ("alone"), and medians over these and over all rounds, in GFLOP/s.
#include <mpi.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <vector>

#include "../checks/fma_peak/kernel.hpp"
#include "base/error.hpp"
#include "in_turn.hpp"
#include "measure/clock.hpp"
#include "probe.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/lanes/even_odd_solver.hpp"
#include "qcd/lanes/fields.hpp"
#include "qcd/lanes/hopping.hpp"
#include "qcd/vectors.hpp"
#include "qcd/work.hpp"

namespace {

using namespace tenken;
using namespace tenken::qcd;

constexpr Index4 lattice{8, 8, 8, 8};
constexpr double burst_ns = 1e5;

struct Round {
  double peak, constant, dependent;  // ticks
  double slowest_probe;
};

double median_rate(std::vector<Round> rounds, double Round::*of, double work, double ns_per_tick) {
  if (rounds.empty()) return 0;
  const auto middle = rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2);
  std::nth_element(rounds.begin(), middle, rounds.end(),
                   [of](const Round& a, const Round& b) { return a.*of < b.*of; });
  return work / (*middle.*of * ns_per_tick);
}

template <class Real>
void compare(fma_peak::Precision precision, int count) {
  constexpr int width = native_width<Real>;
  const Geometry g(lattice, {1, 1, 1, 1}, 0);
  const ExtendedLinks links(MPI_COMM_SELF, g, make_links(g, {Start::hot, 0, 1}));
  const Lanes lanes(g, width);
  const auto h = make_hopping<Real, width>(MPI_COMM_SELF, lanes, links, colours);
  Field psi = make_field(g);
  fill_random(g, 1, Purpose::source, psi);
  const auto field = [&] { return make_lane_field<Vec<Real, width>>(lanes); };
  auto even = field(), odd = field(), back = field();
  convert<double, Real>(g, 0, 0, nullptr, psi.data(), &lanes, even.data());

  const Clock clock;
  const fma_peak::Kernel fma = fma_peak::kernel_for("best", precision);
  const std::int64_t some = 20000;
  fma.run(some);
  const auto loops = static_cast<std::int64_t>(some * burst_ns / (ns_of([&] { fma.run(some); }) * clock.ns_per_tick()));

  std::vector<Round> rounds;
  double best_probe = 1e300;
  for (int n = 0; n < count; ++n) {
    Round round{};
    const auto probed = [&](auto action) {
      const double before = ns_of(no_operations), ns = ns_of(action), after = ns_of(no_operations);
      round.slowest_probe = std::max({round.slowest_probe, before, after});
      best_probe = std::min({best_probe, before, after});
      return ns;
    };
    round.peak = probed([&] { fma.run(loops); });
    const auto hop = [&](int parity, auto& out, auto& in) { h->apply(parity, out, in, nullptr, Real{0}, untimed); };
    hop(1, odd, even);
    round.constant = probed([&] { hop(1, odd, even), hop(1, odd, even); });
    round.dependent = probed([&] { hop(1, odd, even), hop(0, back, odd); });
    rounds.push_back(round);
  }
  std::vector<Round> alone;
  for (const Round& round : rounds) {
    if (round.slowest_probe * enough_of_the_best <= best_probe) alone.push_back(round);
  }
  const double two_hops = static_cast<double>(hop_flop) * g.sites;
  const double burst = static_cast<double>(fma.flop_per_loop) * static_cast<double>(loops);
  std::printf("{\"alone\": %.4f", static_cast<double>(alone.size()) / count);
  for (const auto& [name, of] : {std::pair{"alone", &alone}, std::pair{"all", &rounds}}) {
    std::printf(", \"%s_peak\": %.2f, \"%s_constant\": %.2f, \"%s_dependent\": %.2f", name,
                median_rate(*of, &Round::peak, burst, clock.ns_per_tick()), name,
                median_rate(*of, &Round::constant, two_hops, clock.ns_per_tick()), name,
                median_rate(*of, &Round::dependent, two_hops, clock.ns_per_tick()));
  }
  std::printf("}\n");
}

void run(int argc, char** argv) {
  const std::string_view precision = argc == 3 ? argv[1] : "";
  const std::string_view text = argc == 3 ? argv[2] : "";
  int rounds = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounds);
  if ((precision != "double" && precision != "single") || rounds < 1) refuse("usage: lqcd_core double|single ROUNDS");
  omp_set_num_threads(1);
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &here);
  sched_setaffinity(0, sizeof here, &here);
  if (precision == "double") return compare<double>(fma_peak::Precision::double_, rounds);
  compare<float>(fma_peak::Precision::single, rounds);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_with_mpi(argc, argv, run); }
