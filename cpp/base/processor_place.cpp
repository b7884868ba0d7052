#include "base/processor_place.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tenken {

ProcessorPlace place_of_processor(const Tree& tree, int cpu) {
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu);
  const std::vector<int> siblings = tree.cpus(folder + "/topology/thread_siblings_list");
  ProcessorPlace place;
  place.cpu = cpu;
  place.socket = static_cast<int>(tree.number(folder + "/topology/physical_package_id").value_or(0));
  place.core = siblings.empty() ? cpu : siblings.front();
  place.cache = place.core;
  std::int64_t level = 0;
  for (const int index : tree.numbered(folder + "/cache", "index")) {
    const std::string cache = folder + "/cache/index" + std::to_string(index);
    const std::vector<int> sharers = tree.cpus(cache + "/shared_cpu_list");
    const std::int64_t of = tree.number(cache + "/level").value_or(0);
    if (of <= level || sharers.size() <= siblings.size()) continue;
    level = of;
    place.cache = sharers.front();
  }
  return place;
}

}  // namespace tenken
