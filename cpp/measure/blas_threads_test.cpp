// A BLAS with threads of its own, made here: this program exports the functions that such a library has.
#include "measure/blas_threads.hpp"

#include <doctest/doctest.h>
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <fstream>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> asked_threads = 0;
std::atomic<int> parallel_kind = 1;

// Uses 3 ms of a processor, however many others wait for it.
void burn() {
  timespec start{}, now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  while ((now.tv_sec - start.tv_sec) * 1000000000LL + now.tv_nsec - start.tv_nsec < 3'000'000);
}

// A thread that works whenever it is told to, and one that only waits.
struct Worker {
  std::counting_semaphore<> go{0}, done{0};
  std::atomic<pid_t> task = 0;
  std::atomic<bool> over = false;
  std::thread thread{[this] {
    task = static_cast<pid_t>(syscall(SYS_gettid));
    for (go.acquire(); !over; go.acquire()) {
      burn();
      done.release();
    }
  }};
  void end() {
    over = true;
    go.release();
    thread.join();
  }
};
std::vector<Worker*> workers;

void work() {
  while (static_cast<int>(workers.size()) + 1 < asked_threads) workers.push_back(new Worker);  // started late
  for (Worker* one : workers) one->go.release();
  burn();
  for (Worker* one : workers) one->done.acquire();
}

std::vector<int> mask_of(pid_t task) {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(task, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

bool times_are_told() {
  burn();
  std::int64_t ran = 0;
  std::ifstream("/proc/self/schedstat") >> ran;
  return ran > 0;
}

}  // namespace

extern "C" {
void openblas_set_num_threads(int threads) { asked_threads = threads; }
int openblas_get_parallel() { return parallel_kind; }
const char* openblas_get_config() { return "OpenBLAS 9.9.9 MADE_UP"; }
const char* openblas_get_corename() { return "Somecore"; }
void cblas_dgemm() {}
}

using namespace tenken;

TEST_CASE("threads of the library's own are put each on its processor; sleeping ones are left alone") {
  const std::vector<int> all = mask_of(0);
  if (all.size() < 2 || !times_are_told()) return;
  Worker idle;
  while (idle.task == 0) std::this_thread::yield();
  parallel_kind = 1;
  std::vector<int> processors(all.begin(), all.begin() + std::min<std::ptrdiff_t>(3, std::ssize(all)));
  const BlasThreads blas(processors, work);
  CHECK(asked_threads == static_cast<int>(processors.size()));
  REQUIRE(workers.size() + 1 == processors.size());
  std::vector<int> bound;
  for (const Worker* one : workers) {
    REQUIRE(mask_of(one->task).size() == 1);
    bound.push_back(mask_of(one->task).front());
  }
  CHECK(bound == std::vector<int>(processors.begin() + 1, processors.end()));
  CHECK(mask_of(idle.task) == all);
  CHECK(mask_of(0) == all);
  CHECK(blas.description().starts_with("OpenBLAS 9.9.9 MADE_UP, kernels Somecore, own threads, /"));
  CHECK(blas.description().ends_with("measure_blas_threads_test"));
  blas.use(1);
  CHECK(asked_threads == 1);
  CHECK(mask_of(0) == all);
  idle.end();
  for (Worker* one : workers) {
    one->end();
    delete one;
  }
  workers.clear();
}

TEST_CASE("threads of OpenMP are bound as the check's own are") {
  const std::vector<int> all = mask_of(0);
  if (all.size() < 2) return;
  parallel_kind = 2;
  const std::vector<int> processors = {all[1], all[0]};
  const BlasThreads blas(processors, work);
  CHECK(workers.empty());
  CHECK(blas.description().find("kernels Somecore, OpenMP threads, ") != std::string::npos);
  blas.use(3);  // more than there are processors for: nothing is bound
  CHECK(asked_threads == 3);
  CHECK(bound_processors(2).empty());
  blas.use(2);
  CHECK(asked_threads == 2);
  CHECK(bound_processors(2) == processors);
  CHECK(bound_processors(1) == std::vector<int>{all[1]});
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : all) CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
  CHECK(bound_processors(2).empty());
  CHECK(bound_processors(1).empty());
}

TEST_CASE("without processors of its own nothing is asked of the library") {
  parallel_kind = 1;
  asked_threads = 0;
  CHECK(BlasThreads({}, work).description().find("own threads") != std::string::npos);
  CHECK(BlasThreads({0}, work).description().find("own threads") != std::string::npos);
  CHECK(asked_threads == 0);
  CHECK(workers.empty());
}
