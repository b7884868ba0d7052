#include "measure/placement.hpp"

#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace tenken {

namespace {

std::vector<int> allowed_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string processor_folder(int cpu) { return "/sys/devices/system/cpu/cpu" + std::to_string(cpu); }

int numa_of(int cpu) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(processor_folder(cpu), error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("node") && name.size() > 4) return std::stoi(name.substr(4));
  }
  return 0;
}

// First hardware threads of all cores in order, then the second ones, and so on.
std::vector<int> cores_first(const std::vector<int>& cpus) {
  std::vector<std::pair<int, int>> order;  // (hardware thread within its core, processor)
  std::multiset<std::string> seen;
  for (const int cpu : cpus) {
    const std::string siblings = line_of(processor_folder(cpu) + "/topology/thread_siblings_list");
    const std::string core = siblings.empty() ? std::to_string(cpu) : siblings;
    order.emplace_back(static_cast<int>(seen.count(core)), cpu);
    seen.insert(core);
  }
  std::stable_sort(order.begin(), order.end());
  std::vector<int> result;
  for (const auto& [thread, cpu] : order) result.push_back(cpu);
  return result;
}

void bind_this_thread(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

std::vector<int> processors_now(int threads) {
  std::vector<int> cpus(static_cast<std::size_t>(threads), -1);
#pragma omp parallel num_threads(threads)
  cpus[static_cast<std::size_t>(omp_get_thread_num())] = sched_getcpu();
  return cpus;
}

Placement place(MPI_Comm comm, int threads, bool bind) {
  Placement placement;
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  placement.host = host;

  MPI_Comm node;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int node_rank = 0;
  MPI_Comm_rank(node, &node_rank);
  MPI_Comm_size(node, &placement.node_ranks);

  const std::vector<int> mine = allowed_processors();
  // Ranks that share one set of processors share them out; ranks with sets of their own stay inside.
  long sum = static_cast<long>(mine.size());
  for (const int cpu : mine) sum = sum * 31 + cpu;
  long low = 0;
  long high = 0;
  MPI_Allreduce(&sum, &low, 1, MPI_LONG, MPI_MIN, node);
  MPI_Allreduce(&sum, &high, 1, MPI_LONG, MPI_MAX, node);
  MPI_Comm_free(&node);
  const bool shared = low == high;
  const int ranks_sharing = shared ? placement.node_ranks : 1;
  const int first = shared ? node_rank * threads : 0;

  const std::vector<int> order = cores_first(mine);
  placement.oversubscribed = ranks_sharing * threads > static_cast<int>(order.size());
  placement.bound = bind && !placement.oversubscribed;
  placement.cpus = mine;
  if (placement.bound) placement.cpus.assign(order.begin() + first, order.begin() + first + threads);

  placement.tasks.resize(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    placement.tasks[thread] = static_cast<pid_t>(syscall(SYS_gettid));
    if (placement.bound) bind_this_thread(placement.cpus[thread]);
  }
  std::set<int> numa;
  for (const int cpu : placement.cpus) numa.insert(numa_of(cpu));
  placement.numa.assign(numa.begin(), numa.end());
  return placement;
}

}  // namespace tenken
