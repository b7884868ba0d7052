#include "measure/blas_threads.hpp"

#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/tree.hpp"
#include "measure/clock.hpp"

namespace tenken {

namespace {

template <class Function>
Function* found(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

std::string text_from(const char* function) {
  const auto call = found<const char*()>(function);
  return call != nullptr ? call() : "";
}

// The file that holds the multiplication, its links followed: alternatives of a distribution have one name for many
// libraries.
std::string file_of_multiplication() {
  Dl_info info{};
  void* const symbol = dlsym(RTLD_DEFAULT, "cblas_dgemm");
  if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return "linked statically";
  std::error_code none;
  const auto path = std::filesystem::canonical(info.dli_fname, none);
  return none ? std::string(info.dli_fname) : path.string();
}

void bind(pid_t task, int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(task, sizeof set, &set);
}

pid_t this_task() { return static_cast<pid_t>(syscall(SYS_gettid)); }

std::set<pid_t> openmp_tasks(int threads) {
  std::vector<pid_t> tasks(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  tasks[static_cast<std::size_t>(omp_get_thread_num())] = this_task();
  return {tasks.begin(), tasks.end()};
}

// Nanoseconds that each thread of this process has run so far, by task.
std::map<pid_t, std::int64_t> run_times() {
  const Tree tree("/");
  const std::string folder = "/proc/self/task";
  std::map<pid_t, std::int64_t> times;
  for (const std::string& task : tree.names(folder)) {
    tree.open(folder + "/" + task + "/schedstat") >> times[std::stoi(task)];
  }
  return times;
}

// Works for 20 ms at least.
void work_a_while(void (*work)()) {
  const std::int64_t start = monotonic_ns();
  do work();
  while (monotonic_ns() - start < 20'000'000);
}

}  // namespace

BlasThreads::BlasThreads(std::vector<int> processors, void (*work)()) : processors_(std::move(processors)) {
  if (const auto set = found<void(int)>("openblas_set_num_threads")) {
    set_threads_ = set;
    const auto parallel = found<int()>("openblas_get_parallel");  // 0 none, 1 own threads, 2 OpenMP
    own_threads_ = parallel == nullptr || parallel() != 2;
    description_ = text_from("openblas_get_config") + ", kernels " + text_from("openblas_get_corename") +
                   (own_threads_ ? ", own threads" : ", OpenMP threads");
  } else if (const auto set_mkl = found<void(int)>("MKL_Set_Num_Threads")) {
    set_threads_ = set_mkl;
    char version[200] = {};
    if (const auto ask = found<void(char*, int)>("MKL_Get_Version_String")) ask(version, sizeof version - 1);
    description_ = std::string("MKL ") + version;
  } else if (found<void()>("bli_thread_set_num_threads") != nullptr) {
    set_threads_ = [](int n) { found<void(std::int64_t)>("bli_thread_set_num_threads")(n); };
    const auto openmp = found<int()>("bli_info_get_enable_openmp");
    own_threads_ = openmp != nullptr && openmp() == 0;
    description_ = "BLIS " + text_from("bli_info_get_version_str");
  }
  description_ += ", " + file_of_multiplication();
  // LLVM's OpenMP threads spin for 200 ms after a region, on the cores that the library's own threads need.
  if (const auto set_block_time = found<void(int)>("kmp_set_blocktime")) set_block_time(0);
  if (own_threads_ && processors_.size() > 1) bind_workers(work);
}

void BlasThreads::use(int threads) const {
  if (set_threads_ != nullptr) {
    set_threads_(threads);
  } else {
    omp_set_num_threads(threads);
  }
  if (!own_threads_) bind_openmp(threads);
}

// The library's threads are those that work when it does and are not OpenMP's; their numbers rise in order of creation.
void BlasThreads::bind_workers(void (*work)()) const {
  const int threads = static_cast<int>(processors_.size());
  const std::set<pid_t> others = openmp_tasks(threads);
  set_threads_(threads);
  work_a_while(work);  // makes the library start them
  const std::map<pid_t, std::int64_t> before = run_times();
  work_a_while(work);
  std::size_t next = 1;  // the calling thread works on processor 0 of the list
  for (const auto& [task, time] : run_times()) {
    const auto known = before.find(task);
    const bool worked = known != before.end() && time - known->second > 1'000'000;
    if (worked && !others.contains(task) && next < processors_.size()) bind(task, processors_[next++]);
  }
}

// A smaller OpenMP team may end threads of a larger one, and those that replace them are bound like the calling thread.
void BlasThreads::bind_openmp(int threads) const {
  if (processors_.size() < static_cast<std::size_t>(threads)) return;
#pragma omp parallel num_threads(threads)
  bind(0, processors_[static_cast<std::size_t>(omp_get_thread_num())]);
}

std::vector<int> bound_processors(int threads) {
  std::vector<int> processors(static_cast<std::size_t>(threads), -1);
  std::atomic<bool> all = true;
#pragma omp parallel num_threads(threads)
  {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1) {
      processors[static_cast<std::size_t>(omp_get_thread_num())] = sched_getcpu();
    } else {
      all = false;
    }
  }
  return all ? processors : std::vector<int>{};
}

}  // namespace tenken
