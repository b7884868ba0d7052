#include "measure/blas_threads.hpp"

#include <doctest/doctest.h>
#include <sched.h>

#include <filesystem>
#include <set>
#include <string>

#include "kernel.hpp"

namespace {

// Processors of the threads of this process that are bound to exactly one.
std::multiset<int> bound_tasks() {
  std::multiset<int> processors;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(std::stoi(task.path().filename()), sizeof set, &set);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_COUNT(&set) == 1 && CPU_ISSET(cpu, &set)) processors.insert(cpu);
    }
  }
  return processors;
}

int count_allowed(cpu_set_t& set) {
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return CPU_COUNT(&set);
}

}  // namespace

TEST_CASE("the library that is linked says what it is") {
  const std::string description = tenken::BlasThreads({}, dgemm::multiply_small).description();
  CHECK_FALSE(description.empty());
  const std::size_t file = description.rfind(", ");
  REQUIRE(file != std::string::npos);
  CHECK((description.substr(file + 2) == "linked statically" || std::filesystem::exists(description.substr(file + 2))));
  if (description.starts_with("OpenBLAS")) CHECK(description.find(", kernels ") != std::string::npos);
}

TEST_CASE("threads that are free are not reported as bound") {
  cpu_set_t all;
  if (count_allowed(all) > 1) CHECK(tenken::bound_processors(2).empty());
}

TEST_CASE("threads that the library starts late do not share the core of the thread that called it") {
  cpu_set_t all;
  if (count_allowed(all) < 2) return;
  std::vector<int> processors;
  for (int cpu = 0; cpu < CPU_SETSIZE && processors.size() < 2; ++cpu) {
    if (CPU_ISSET(cpu, &all)) processors.push_back(cpu);
  }
  tenken::BlasThreads({}, dgemm::multiply_small).use(1);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processors[0], &one);
  sched_setaffinity(0, sizeof one, &one);
  tenken::BlasThreads(processors, dgemm::multiply_small).use(2);
  const std::multiset<int> tasks = bound_tasks();
  CHECK(tasks.count(processors[0]) >= 1);
  CHECK(tasks.count(processors[1]) == 1);
  sched_setaffinity(0, sizeof all, &all);
}
