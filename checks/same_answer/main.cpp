#include <omp.h>
#include <sched.h>

#include <vector>

#include "base/buffer.hpp"
#include "card_launch.hpp"
#include "kernel.hpp"
#include "measure/check.hpp"
#include "report.hpp"
#include "this_check.hpp"

namespace {
using namespace tenken;
using namespace same_answer;

void body(Check& check) {
  if constexpr (this_check::built::cuda) {
    constexpr device::Form on_card{device::on_card::cards, device::on_card::make_device};
    if (check.variant() == "cuda") return launch_on_card(check, on_card);
  }
  if (check.fault("wrong_sm")) refuse("--fault wrong_sm needs --variant cuda");
  const auto threads = static_cast<std::size_t>(check.threads());
  const std::size_t words = static_cast<std::size_t>(check.parameters().integer("memory")) / sizeof(std::uint64_t);
  Buffer<std::uint64_t> memory(words * threads, Pages::any, "the memory march of same_answer");
  std::vector<Core> cores(threads);
  const bool fault = check.fault("wrong_core") && check.rank() == check.ranks() - 1;

  bool first = true;
  const auto on_all_cores = [&](std::size_t kernel, auto answer) {
#pragma omp parallel
    {
      const auto thread = static_cast<std::size_t>(omp_get_thread_num());
      const std::uint64_t found = answer(thread);
      Core& core = cores[thread];
      if (first) core.answer[kernel] = found;
      core.unsteady[kernel] += found == core.answer[kernel] ? 0 : 1;
      core.cpu = sched_getcpu();
      core.rank = check.rank();
    }
  };
  check.repeat([&](int) {
    {
      Section s{this_check::section::fma, {.flop = fma_flop * check.threads()}};
      on_all_cores(0, [](std::size_t) { return fma_answer(); });
    }
    {
      Section s{this_check::section::gemm, {.flop = gemm_flop * check.threads()}};
      on_all_cores(1, [](std::size_t) { return gemm_answer(); });
    }
    {
      Section s{this_check::section::integer};
      on_all_cores(2, [](std::size_t) { return integer_answer(); });
    }
    {
      Section s{this_check::section::memory};
      on_all_cores(3, [&](std::size_t thread) { return memory_answer({&memory[thread * words], words}); });
    }
    first = false;
  });
  if (fault) cores.back().answer[1] ^= 1;  // one bit, on the last core of the last rank

  report(check, gathered(check, cores), "core");
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
