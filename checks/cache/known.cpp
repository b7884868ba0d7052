#include "known.hpp"

#include <string>

namespace cache {

std::map<int, std::int64_t> known_caches(const tenken::Tree& tree, int cpu) {
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache";
  std::map<int, std::int64_t> known;
  for (const int index : tree.numbered(folder, "index")) {
    const std::string one = folder + "/index" + std::to_string(index);
    const std::string size = tree.text(one + "/size").value_or("");
    const std::int64_t level = tree.number(one + "/level").value_or(0);
    const std::int64_t number = tenken::parse_number(size).value_or(0);
    if (level < 1 || number < 1 || tree.text(one + "/type") == "Instruction") continue;
    const std::int64_t unit = size.ends_with("K") ? 1024 : size.ends_with("M") ? 1024 * 1024 : 1;
    known[static_cast<int>(level)] = number * unit;
  }
  return known;
}

}  // namespace cache
