// The table of each thread's own time: a row a thread, a column for the body of each construct, and one for the entry
// of a barrier.
#pragma once

#include "last_to_come.hpp"
#include "measure/check.hpp"
#include "trace.hpp"

namespace omp_overheads {

constexpr const char* entry_of_barrier = "entry of barrier";

// Collective: microseconds, with the threads of all ranks as rows "HOST/RANK/THREAD/PROCESSOR"; on rank 0 alone.
tenken::Table gather_thread_times(const tenken::Check& check, const Trace& trace, const LastToCome& last,
                                  double ns_per_tick);

}  // namespace omp_overheads
