#include "measure/placement.hpp"

#include <omp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "measure/memory.hpp"
#include "measure/node_name.hpp"

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

void bind_this_thread(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

std::vector<std::vector<int>> memory_of_threads(const Topology& topology, const Placement& placement, int threads,
                                                const Wish& wish) {
  std::vector<std::vector<int>> memory(static_cast<std::size_t>(threads));
  if (wish.membind.empty()) return memory;
  if (!placement.bound && wish.membind == "local") {
    refuse("membind local needs bound threads, and nothing is bound here; choose a placement or fewer threads");
  }
  for (std::size_t thread = 0; thread < memory.size(); ++thread) {
    const int cpu = placement.cpus[placement.bound ? thread : 0];
    const auto same = [&](const Processor& one) { return one.cpu == cpu; };
    const auto found = std::find_if(topology.processors.begin(), topology.processors.end(), same);
    memory[thread] = memory_nodes(topology, found->numa, wish.membind);
  }
  return memory;
}

std::vector<int> processors_now(int threads) {
  std::vector<int> cpus(static_cast<std::size_t>(threads), -1);
#pragma omp parallel num_threads(threads)
  cpus[static_cast<std::size_t>(omp_get_thread_num())] = sched_getcpu();
  return cpus;
}

Placement place(MPI_Comm world, int threads, const Wish& wish, const Tree& tree) {
  Placement placement;
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  MPI_Comm_rank(world, &placement.place);

  MPI_Comm node;
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int node_rank = 0;
  MPI_Comm_rank(node, &node_rank);
  MPI_Comm_size(node, &placement.node_ranks);
  placement.host = node_name(world, node, host);

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
  const bool plain = (wish.placement == "compact" || wish.placement == "none") && wish.reserve == 0;
  if (!shared && !plain) {
    refuse("placement " + wish.placement + " with reserve " + std::to_string(wish.reserve) +
           ": the launcher bound each rank to processors; start the ranks without binding");
  }

  const Topology topology = read_topology(tree, mine);
  const int ranks_sharing = shared ? placement.node_ranks : 1;
  const auto bound = bind_ranks(topology, ranks_sharing, threads, wish);
  placement.oversubscribed = ranks_sharing * threads > static_cast<int>(mine.size());
  placement.bound = !bound.empty();
  placement.cpus = placement.bound ? bound[static_cast<std::size_t>(shared ? node_rank : 0)] : mine;
  const auto memory = memory_of_threads(topology, placement, threads, wish);

  placement.tasks.resize(static_cast<std::size_t>(threads));
  std::vector<int> refused(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    placement.tasks[thread] = static_cast<pid_t>(syscall(SYS_gettid));
    if (placement.bound) bind_this_thread(placement.cpus[thread]);
    if (!memory[thread].empty()) refused[thread] = take_pages_from(memory[thread]);
  }
  if (const int error = *std::max_element(refused.begin(), refused.end()); error != 0) {
    refuse("membind " + wish.membind + ": this system does not let programs choose their memory (set_mempolicy: " +
           std::strerror(error) + "); leave it out");
  }
  placement.numa = topology.numa_of(placement.cpus);
  return placement;
}

}  // namespace tenken
