#include "card_launch.hpp"

#include <vector>

#include "ballot.hpp"
#include "gpu/take_card.hpp"
#include "measure/clock.hpp"
#include "ref.hpp"
#include "report.hpp"
#include "this_check.hpp"

namespace same_answer {

namespace {

using namespace tenken;
namespace section = this_check::section;

// Of a block. A step of a chain is a product and a multiply-add.
constexpr std::int64_t fma_flop_of_block = std::int64_t{3} * device::fma_chains * device::fma_steps * device::threads;

struct Timed {
  Leaf leaf;
  std::int64_t flop;  // of a block
};
constexpr Timed timed[kernels] = {
    {section::fma, fma_flop_of_block}, {section::gemm, gemm_flop}, {section::integer, 0}, {section::memory, 0}};

// Where no multiprocessor of this card gave the answer of the majority, none are counted.
void count_wrong_bits(std::vector<Core>& mine, const std::vector<Core>& all, const Ballot& ballot) {
  for (const auto& [kernel, right] : majorities(all)) {
    for (Core& core : mine) {
      if (core.answer[kernel] == right && core.unsteady[kernel] == 0) continue;
      core.wrong_bits[kernel] = ballot.wrong_bits(kernel, core.cpu, right).value_or(0);
    }
  }
}

}  // namespace

void launch_on_card(Check& check, const device::Form& form) {
  if (check.fault("wrong_core")) refuse("--fault wrong_core is of processors; variant 'cuda' has wrong_sm");
  const auto card = form.make_device(gpu::take_card(check, form.cards()));
  gpu::record_section_cost(check, card->facts().name, card->section_cost());  // subtracted nowhere
  const std::int64_t bytes = check.parameters().integer("memory");
  const std::int64_t words = bytes / (std::int64_t{8} * device::threads);
  card->allocate(words, factor_of_gemm(0), factor_of_gemm(1));
  const bool fault = check.fault("wrong_sm") && check.rank() == check.ranks() - 1;

  const double ns_per_tick = Clock().ns_per_tick();
  Ballot ballot;
  check.repeat([&](int) {
    for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
      device::Answers answers = card->run(kernel);
      add_sample(timed[kernel].leaf, static_cast<std::int64_t>(answers.ns / ns_per_tick),
                 {.flop = timed[kernel].flop * card->blocks()});
      // One bit of one lane, in each block of the multiprocessor that ran the last block.
      for (std::size_t block = 0; fault && kernel == 1 && block < answers.multiprocessor.size(); ++block)
        if (answers.multiprocessor[block] == answers.multiprocessor.back()) answers.words[block * device::threads] ^= 4;
      ballot.add(kernel, answers);
    }
  });
  std::vector<Core> mine = ballot.cores(check.rank());
  const std::vector<Core> all = gathered(check, mine);
  count_wrong_bits(mine, all, ballot);
  std::size_t unlike_host = 0;
  for (const auto& [kernel, right] : majorities(all)) {
    if (answer_of(right_lanes(kernel, words).data()) == right) continue;
    check.value("unlike_host/" + std::string(kernel_names[kernel]), "1", 1);
    ++unlike_host;
  }
  report(check, gathered(check, mine), "multiprocessor", unlike_host);
  check.value("multiprocessors", "1", check.sum_over_ranks(card->facts().multiprocessors));
}

}  // namespace same_answer
