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

namespace {

// Bytes of a limit; version 2 writes "max" and version 1 a number near 2^63 where there is none.
std::optional<std::int64_t> limit_in(const Tree& tree, const std::string& path) {
  constexpr std::int64_t unlimited = std::int64_t{1} << 60;
  const auto bytes = tree.number(path);
  return bytes && *bytes < unlimited ? bytes : std::nullopt;
}

// The least value of this group and of all groups above it, in both versions.
template <class Function>  // (folder, names of its files)
std::optional<std::int64_t> least_of_groups(const Tree& tree, const Function& of_group) {
  struct Files {
    const char *limit, *used, *reclaimable;
  };
  static constexpr Files second{"/memory.max", "/memory.current", "inactive_file"};
  static constexpr Files first{"/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file"};
  std::optional<std::int64_t> least;
  const auto look = [&](const std::string& mount, const std::optional<std::string>& group, const Files& files) {
    for (const auto& folder : with_parents(mount, group.value_or("/"))) {
      const std::optional<std::int64_t> bytes = of_group(folder, files);
      if (bytes && (!least || *bytes < *least)) least = bytes;
    }
  };
  look("/sys/fs/cgroup", group_of(tree, ""), second);
  look("/sys/fs/cgroup/memory", group_of(tree, "memory"), first);
  return least;
}

}  // namespace

std::optional<std::int64_t> memory_limit(const Tree& tree) {
  return least_of_groups(
      tree, [&](const std::string& folder, const auto& files) { return limit_in(tree, folder + files.limit); });
}

std::optional<std::int64_t> memory_left(const Tree& tree) {
  return least_of_groups(tree, [&](const std::string& folder, const auto& files) -> std::optional<std::int64_t> {
    const auto limit = limit_in(tree, folder + files.limit);
    const auto used = limit ? tree.number(folder + files.used) : std::nullopt;
    if (!used) return std::nullopt;
    const auto cache = value_of(tree.lines(folder + "/memory.stat"), files.reclaimable, ' ');
    const std::int64_t reclaimable = cache ? parse_number(*cache).value_or(0) : 0;
    return std::clamp<std::int64_t>(*limit - *used + reclaimable, 0, *limit);
  });
}

}  // namespace tenken
