#include <algorithm>
#include <cmath>
#include <limits>

#include "card_launch.hpp"
#include "kernel.hpp"
#include "measure/check.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using fma_peak::Kernel;
using fma_peak::Precision;

// Loops that fill `microseconds` on this core, from the fastest of five tries: the first ones meet cold vector units.
std::int64_t loops_for(const Kernel& kernel, double microseconds) {
  constexpr std::int64_t tried = 20000;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 5; ++i) {
    const std::int64_t start = monotonic_ns();
    kernel.run(tried);
    least = std::min(least, monotonic_ns() - start);
  }
  return std::max<std::int64_t>(
      1, std::llround(static_cast<double>(tried) * microseconds * 1e3 / static_cast<double>(least)));
}

double on_all_threads(const Kernel& kernel, std::int64_t loops) {
  double error = 0;
#pragma omp declare reduction(greater:double : omp_out = fma_peak::greater(omp_out, omp_in)) initializer(omp_priv = 0)
#pragma omp parallel reduction(greater : error)
  error = kernel.run(loops);
  return error;
}

void body(Check& check) {
  if constexpr (this_check::built::cuda) {
    constexpr fma_peak::device::Form on_card{fma_peak::device::on_card::cards, fma_peak::device::on_card::make_device};
    if (check.variant() == "cuda") return fma_peak::launch_on_card(check, on_card);
  }
  const Kernel in_double = fma_peak::kernel_for(check.variant(), Precision::double_);
  const Kernel in_single = fma_peak::kernel_for(check.variant(), Precision::single);
  const double microseconds = check.parameters().real("microseconds");
  const std::int64_t double_loops = loops_for(in_double, microseconds);
  const std::int64_t single_loops = loops_for(in_single, microseconds);

  double error = 0;
  check.repeat([&](int) {
    {
      Section s{this_check::section::double_, {.flop = in_double.flop_per_loop * double_loops * check.threads()}};
      error = fma_peak::greater(error, on_all_threads(in_double, double_loops));
    }
    {
      Section s{this_check::section::single, {.flop = in_single.flop_per_loop * single_loops * check.threads()}};
      error = fma_peak::greater(error, on_all_threads(in_single, single_loops));
    }
  });
  check.prove(this_check::validity::accumulators, check.max_over_ranks(error));
  check.library("isa", in_double.isa);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
