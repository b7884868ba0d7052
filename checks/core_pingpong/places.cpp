#include "places.hpp"

#include <cstdint>
#include <vector>

namespace core_pingpong {

std::string place_of(const tenken::Tree& tree, int cpu) {
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
  const std::int64_t socket = tree.number(folder + "/topology/physical_package_id").value_or(0);
  const std::vector<int> siblings = tree.cpus(folder + "/topology/thread_siblings_list");
  const int core = siblings.empty() ? cpu : siblings.front();
  int shared_by = core;
  std::int64_t level = 0;
  for (const int index : tree.numbered(folder + "/cache", "index")) {
    const std::string cache = folder + "/cache/index" + std::to_string(index);
    const std::vector<int> sharers = tree.cpus(cache + "/shared_cpu_list");
    const std::int64_t own = tree.number(cache + "/level").value_or(0);
    if (own <= level || sharers.size() <= siblings.size()) continue;
    level = own;
    shared_by = sharers.front();
  }
  return std::to_string(socket) + "." + std::to_string(shared_by) + "." + std::to_string(core) + "." +
         std::to_string(cpu);
}

}  // namespace core_pingpong
