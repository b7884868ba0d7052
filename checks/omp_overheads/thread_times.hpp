// The table of each thread's own time in the body of each construct: a row a thread, a column a construct.
#pragma once

#include "measure/check.hpp"
#include "trace.hpp"

namespace omp_overheads {

// Collective: microseconds, with the threads of all ranks as rows "HOST/RANK/THREAD/PROCESSOR"; on rank 0 alone.
tenken::Table gather_thread_times(const tenken::Check& check, const Trace& trace, double ns_per_tick);

}  // namespace omp_overheads
