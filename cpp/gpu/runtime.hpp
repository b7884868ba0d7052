// The runtime under Tenken's kernels, by the names that all other code uses. Only runtime_cuda.hpp has names of a
// vendor.
//
//   count()                      cards that this process may use
//   use(card) / facts()          choose a card; what the runtime reports of the chosen card (facts.hpp)
//   use_again(card)              of a process with several cards: the one that the next calls mean, used before
//   facts_of(card) / cards()     the same of any card, and of all: for the choice (choice.hpp)
//   allocate, release            memory of the card; allocate_pinned, release_pinned: host memory that cards copy from
//   copy(to, from, bytes, way)   waits until the copy is done; copy_later only queues it
//   clear(to, bytes)             zero bytes, queued
//   wait()                       until all queued work is done; reports errors of kernels
//   clock_cycles, clock_ns       in kernels: cycles of this multiprocessor, and time
//   multiprocessor_of(block)     in kernels: the multiprocessor that runs it
//   Event                        record() queues a time stamp; ms_since(earlier) after wait()
//   Queue                        a queue more of the card that is chosen when it is made: copy(…) and, from one card to
//                                another, between(…) only queue; wait() waits for this queue
//   peer_rank(from, to)          of copies between cards: -1 over the host, else 0 or more, 0 for the fastest path
//   allow_peer(to)               lets the chosen card copy to and from `to` without the host
//
// All other calls work on one queue a card, in order. Every error is a UserError with card, call and reason
// (trouble.hpp). Managed memory is not offered: its pages move by themselves, so that no rate could be attributed.
#pragma once

#include "gpu/form.hpp"

namespace tenken::gpu {
enum class Way { to_card, to_host, on_card };
}

#if TENKEN_GPU_ON_CARD
#include "gpu/runtime_cuda.hpp"
#else
#include "gpu/runtime_host.hpp"
#endif

#include <vector>

namespace tenken::gpu {
inline namespace TENKEN_GPU_FORM {

// All cards that this process may use. An error where there is none.
inline std::vector<Facts> cards() {
  std::vector<Facts> all;
  for (int index = 0, n = count(); index < n; ++index) all.push_back(facts_of(index));
  return all;
}

}  // namespace TENKEN_GPU_FORM
}  // namespace tenken::gpu
