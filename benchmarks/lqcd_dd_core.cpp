// The kernels of lqcd_dd on one core in single precision, in turn within milliseconds: multiply-adds; a block of
// 4,4,4,4 solved; its hops and its inverse alone; and, beyond the caches, the hopping term and the hops inside of
// blocks of 16,16,16,16.
//
//   lqcd_dd_core ROUNDS
//
// A probe before and after each finds rounds in which the core was shared (probe.hpp). Printed, one JSON object: the
// share of rounds alone, and median rates over these and over all rounds, in GFLOP/s. Hops inside of blocks count only.
#include <mpi.h>
#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

#include "../checks/fma_peak/kernel.hpp"
#include "base/error.hpp"
#include "in_turn.hpp"
#include "measure/open_sections.hpp"
#include "probe.hpp"
#include "qcd/blocks/operator.inl.hpp"
#include "qcd/blocks/schwarz.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/lanes/even_odd_solver.hpp"
#include "qcd/vectors.hpp"

namespace {

using namespace tenken;
using namespace tenken::qcd;

constexpr double kappa = 0.1334, csw = 1.769, burst_ns = 1e5;
constexpr Index4 small{8, 8, 8, 8}, large{16, 16, 16, 16}, block{4, 4, 4, 4};
constexpr int steps = 4;
constexpr int width = native_width<float>;
using Operator = BlockOperator<float, width>;

// A table whose sections nobody looks at.
constexpr std::array<SectionSpec, 2> specs = {{{"step", Kind::compute, false, ""}, {"part", Kind::compute, true, ""}}};
constexpr CheckTable table{"", "", "", "", {}, specs, {}, {}};
constexpr Leaf part{1};
constexpr BlockSections sections{{0}, {0}, part, part, part, part, part, part, part, part, part};

struct Kernel {
  const char* name;
  double flop;
  std::function<void()> prepare, run;
  std::vector<double> ticks, alone;
};

struct Blocks {
  explicit Blocks(const Index4& lattice)
      : geometry(lattice, {1, 1, 1, 1}, 0),
        links(MPI_COMM_SELF, geometry, make_links(geometry, {Start::warm, 0.5, 1})),
        inverse(invert_clover(geometry, make_clover(links, kappa, csw)).field),
        layout(geometry, block, width),
        op(MPI_COMM_SELF, layout, links, &inverse, kappa, sections, {}),
        x(op.make()),
        y(op.make()),
        z(op.make()) {
    Field psi = make_field(geometry);
    fill_random(geometry, 1, Purpose::source, psi);
    op.take(psi, 1, x);
  }
  Geometry geometry;
  ExtendedLinks links;
  CloverField inverse;
  BlockLayout layout;
  Operator op;
  Operator::Vector x, y, z;
};

void print(const char* set, const std::vector<Kernel>& kernels, bool alone, double ns_per_tick) {
  for (const Kernel& kernel : kernels) {
    const auto& ticks = alone ? kernel.alone : kernel.ticks;
    std::printf(", \"%s_%s\": %.2f", set, kernel.name, ticks.empty() ? 0 : kernel.flop / (median(ticks) * ns_per_tick));
  }
}

void compare(int rounds) {
  OpenSections open(table);
  Blocks one(small), many(large);
  const Clock clock;
  const fma_peak::Kernel fma = fma_peak::kernel_for("best", fma_peak::Precision::single);
  const std::int64_t some = 20000;
  fma.run(some);
  const auto loops = static_cast<std::int64_t>(some * burst_ns / (ns_of([&] { fma.run(some); }) * clock.ns_per_tick()));

  Schwarz<Operator> ssor(one.op, {BlockSolver::ssor, steps, 1}), minres(one.op, {BlockSolver::minres, steps, 1});
  Buffer<Operator::Spin> scratch(static_cast<std::size_t>(scratch_fields * one.layout.vectors()), Pages::any,
                                 "scratch");
  ThreadTimes times;
  const auto refill = [&] {
    for (const int p : {0, 1}) std::copy_n(one.op.at(one.x, 0, p), one.layout.vectors(), one.op.at(one.y, 0, p));
  };
  const auto solve = [&](Schwarz<Operator>& by) { by.solve_group(0, one.z, one.y, scratch.data(), times); };
  const auto flop_of = [&](Schwarz<Operator>& by) {
    times = {};
    refill();
    solve(by);
    return static_cast<double>(times.hops.work.flop + times.inverse.work.flop + times.combine.work.flop);
  };
  const auto warm = [&](Schwarz<Operator>& by) {
    return [&] {
      refill();
      solve(by);
      refill();
    };
  };

  const Lanes lanes(many.geometry, width);
  const auto hopping = make_hopping<float, width>(MPI_COMM_SELF, lanes, many.links, colours);
  auto even = make_lane_field<Vec<float, width>>(lanes), odd = make_lane_field<Vec<float, width>>(lanes);
  const auto nothing = [] {};
  std::vector<Kernel> kernels;
  kernels.push_back({"peak",
                     static_cast<double>(fma.flop_per_loop) * static_cast<double>(loops),
                     nothing,
                     [&] { fma.run(loops); },
                     {},
                     {}});
  kernels.push_back({"ssor", flop_of(ssor), warm(ssor), [&] { solve(ssor); }, {}, {}});
  kernels.push_back({"minres", flop_of(minres), warm(minres), [&] { solve(minres); }, {}, {}});
  constexpr int repeats = 8;
  const auto hops = [&] {
    for (int n = 0; n < repeats; ++n) one.op.hops(0, n % 2, one.op.at(one.z, 0, n % 2), one.op.at(one.x, 0, 1 - n % 2));
  };
  kernels.push_back({"hops", repeats * static_cast<double>(one.op.hops_work(0).flop), hops, hops, {}, {}});
  const auto inverse = [&] {
    for (int n = 0; n < repeats; ++n) {
      one.op.combine(0, n % 2, one.op.at(one.z, 0, 0), one.op.at(one.x, 0, 0), one.op.kappa(), one.op.at(one.x, 0, 1));
    }
  };
  kernels.push_back({"inverse", repeats * static_cast<double>(one.op.inverse_work(0).flop), inverse, inverse, {}, {}});
  const auto whole = [&] {
    hopping->apply(1, odd, even, nullptr, 0.0F, untimed);
    hopping->apply(0, even, odd, nullptr, 0.0F, untimed);
  };
  kernels.push_back({"large_hopping", static_cast<double>(hop_flop) * many.geometry.sites, nothing, whole, {}, {}});
  double inside = 0;
  for (int group = 0; group < many.layout.groups(); ++group)
    inside += 2.0 * static_cast<double>(many.op.hops_work(group).flop);
  kernels.push_back({"large_kernel1",
                     inside,
                     nothing,
                     [&] {
                       for (int group = 0; group < many.layout.groups(); ++group) {
                         for (const int p : {0, 1})
                           many.op.hops(group, p, many.op.at(many.y, group, p), many.op.at(many.x, group, 1 - p));
                       }
                     },
                     {},
                     {}});

  double best_probe = 1e300, shared = 0;
  std::vector<std::array<double, 2>> probes;
  for (int round = 0; round < rounds; ++round) {
    for (Kernel& kernel : kernels) {
      kernel.prepare();
      const double before = ns_of(no_operations), ticks = ns_of(kernel.run), after = ns_of(no_operations);
      best_probe = std::min({best_probe, before, after});
      kernel.ticks.push_back(ticks);
      probes.push_back({before, after});
    }
  }
  for (std::size_t n = 0; n < probes.size(); ++n) {
    Kernel& kernel = kernels[n % kernels.size()];
    const bool alone = std::max(probes[n][0], probes[n][1]) * enough_of_the_best <= best_probe;
    if (alone) kernel.alone.push_back(kernel.ticks[n / kernels.size()]);
    shared += alone ? 0 : 1;
  }
  std::printf("{\"alone\": %.4f", 1 - shared / static_cast<double>(probes.size()));
  print("alone", kernels, true, clock.ns_per_tick());
  print("all", kernels, false, clock.ns_per_tick());
  std::printf("}\n");
}

void run(int argc, char** argv) {
  const std::string_view text = argc == 2 ? argv[1] : "";
  int rounds = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounds);
  if (rounds < 1) refuse("usage: lqcd_dd_core ROUNDS");
  omp_set_num_threads(1);
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &here);
  sched_setaffinity(0, sizeof here, &here);
  compare(rounds);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_with_mpi(argc, argv, run); }
