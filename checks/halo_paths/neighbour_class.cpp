#include "neighbour_class.hpp"

#include <sched.h>

#include <algorithm>
#include <array>

namespace halo_paths {

using tenken::Tree;

namespace {

std::string folder_of(int cpu) { return "sys/devices/system/cpu/cpu" + std::to_string(cpu); }

bool has(const std::vector<int>& all, int one) { return std::find(all.begin(), all.end(), one) != all.end(); }

// Processors that share the cache of the highest level.
std::vector<int> sharers_of_last_cache(const Tree& tree, int cpu) {
  const std::string caches = folder_of(cpu) + "/cache";
  std::vector<int> sharers;
  std::int64_t highest = 0;
  for (const int index : tree.numbered(caches, "index")) {
    const std::string cache = caches + "/index" + std::to_string(index);
    const std::int64_t level = tree.number(cache + "/level").value_or(0);
    if (level <= highest) continue;
    highest = level;
    sharers = tree.cpus(cache + "/shared_cpu_list");
  }
  return sharers;
}

}  // namespace

const char* name_of(Near near) {
  constexpr std::array<const char*, 7> names = {"the same rank", "one core",    "one last-level cache", "one socket",
                                                "one node",      "the network", "unknown places"};
  return names[static_cast<std::size_t>(near)];
}

Near near_of(const Tree& tree, int cpu, int other) {
  if (cpu < 0 || other < 0) return Near::unknown;
  if (cpu == other || has(tree.cpus(folder_of(cpu) + "/topology/thread_siblings_list"), other)) return Near::core;
  if (has(sharers_of_last_cache(tree, cpu), other)) return Near::cache;
  const auto package = [&](int one) { return tree.number(folder_of(one) + "/topology/physical_package_id"); };
  const auto mine = package(cpu), theirs = package(other);
  return mine && theirs && *mine == *theirs ? Near::socket : Near::node;
}

int bound_processor(const Tree& tree) {
  const int cpu = sched_getcpu();
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (cpu < 0 || sched_getaffinity(0, sizeof mask, &mask) != 0) return -1;
  const std::vector<int> core = tree.cpus(folder_of(cpu) + "/topology/thread_siblings_list");
  for (int other = 0; other < CPU_SETSIZE; ++other) {
    if (CPU_ISSET(other, &mask) && other != cpu && !has(core, other)) return -1;
  }
  return cpu;
}

}  // namespace halo_paths
