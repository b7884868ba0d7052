#include "measure/threads_run.hpp"

#include <omp.h>

#include <array>
#include <cstdlib>

#include "base/error.hpp"

namespace tenken {

namespace {

// Variables by which OpenMP libraries give a region fewer threads than it asks for.
constexpr std::array limiting = {
    "OMP_THREAD_LIMIT",        "OMP_THREAD_LIMIT_ALL",
    "OMP_MAX_ACTIVE_LEVELS",   "OMP_MAX_ACTIVE_LEVELS_ALL",
    "KMP_DEVICE_THREAD_LIMIT", "KMP_ALL_THREADS",
    "KMP_MAX_THREADS",         "KMP_LIBRARY",
    "KMP_HW_SUBSET",           "NCPUS_MAX",
};

}  // namespace

int threads_that_run(int asked) {
  int run = 0;
#pragma omp parallel num_threads(asked) reduction(+ : run)
  run = 1;
  return run;
}

std::string too_few_threads(int run, int asked, const char* (*variable)(const char* name)) {
  std::string found;
  int count = 0;
  for (const char* name : limiting) {
    if (const char* value = variable(name); value != nullptr) {
      found += (count++ > 0 ? ", " : "") + std::string(name) + "=" + value;
    }
  }
  const std::string beginning = std::to_string(run) + " of " + std::to_string(asked) + " threads run";
  if (count > 0) return beginning + ": " + found + "; unset " + (count > 1 ? "them" : "it");
  return beginning + ": the OpenMP library gives no more (thread limit " + std::to_string(omp_get_thread_limit()) +
         ", active levels " + std::to_string(omp_get_max_active_levels()) + "); ask for --threads " +
         std::to_string(run);
}

void require_threads(int asked) {
  const auto of_process = [](const char* name) -> const char* { return std::getenv(name); };
  if (const int run = threads_that_run(asked); run < asked) refuse(too_few_threads(run, asked, of_process));
}

}  // namespace tenken
