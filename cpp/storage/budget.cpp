#include "storage/budget.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/error.hpp"

namespace tenken::storage {

std::int64_t floor_of(const Space& space, std::int64_t stated) {
  return stated > 0 ? stated : std::max(space.total / 10, std::int64_t{2} << 30);
}

void require_space(const Space& space, std::int64_t bytes, std::int64_t floor, const std::string& root) {
  const std::int64_t by_space = std::max<std::int64_t>(0, space.free - floor);
  if (bytes > by_space) {
    impossible("root " + root + " has " + bytes_text(space.free) + " free, of which " + bytes_text(floor) +
               " stay free, and the case writes " + bytes_text(bytes) + "; at most " + bytes_text(by_space) +
               " fit: choose fewer bytes or a smaller --floor");
  }
  if (space.quota && bytes > *space.quota) {
    impossible("the quota on root " + root + " leaves " + bytes_text(*space.quota) + ", and the case writes " +
               bytes_text(bytes) + "; choose fewer bytes");
  }
}

void require_files(const Space& space, std::int64_t files, const std::string& root) {
  if (!space.files) return;
  const std::int64_t most = *space.files - *space.files / 10;
  if (files > most) {
    impossible("root " + root + " has space for " + std::to_string(*space.files) +
               " more files (inodes), of which 10 % " + "stay free, and the case makes " + std::to_string(files) +
               " files and folders; at most " + std::to_string(most) + " fit: choose fewer files");
  }
}

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 5> units = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (size >= 1024 && unit + 1 < units.size()) {
    size /= 1024;
    ++unit;
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.4g %s", size, units[unit]);
  return text;
}

}  // namespace tenken::storage
