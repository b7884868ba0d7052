#include "base/control_group.hpp"

#include <algorithm>
#include <filesystem>

namespace tenken {

std::vector<std::string> with_parents(const std::string& mount, const std::string& group) {
  std::vector<std::string> folders;
  for (std::filesystem::path path = std::filesystem::path(group).lexically_normal();; path = path.parent_path()) {
    folders.push_back(mount + (path == "/" ? "" : path.string()));
    if (path == path.parent_path()) return folders;
  }
}

std::optional<std::string> group_of(const Tree& tree, std::string_view controller) {
  for (const auto& line : tree.lines("/proc/self/cgroup")) {  // 4:cpu,cpuacct:/job_7
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const auto names = split(line.substr(first + 1, second - first - 1), ',');
    const bool named = std::find(names.begin(), names.end(), controller) != names.end();
    if (controller.empty() ? names.empty() : named) return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<std::int64_t> memory_limit(const Tree& tree) {
  constexpr std::int64_t unlimited = std::int64_t{1} << 60;  // version 1 writes a number near 2^63
  std::optional<std::int64_t> least;
  const auto read = [&](const std::string& path) {
    const auto bytes = tree.number(path);  // "max" is no number
    if (bytes && *bytes < unlimited && (!least || *bytes < *least)) least = bytes;
  };
  const auto unified = group_of(tree, "").value_or("/"), memory = group_of(tree, "memory").value_or("/");
  for (const auto& folder : with_parents("/sys/fs/cgroup", unified)) read(folder + "/memory.max");
  for (const auto& folder : with_parents("/sys/fs/cgroup/memory", memory)) read(folder + "/memory.limit_in_bytes");
  return least;
}

}  // namespace tenken
