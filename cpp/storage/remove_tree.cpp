#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <optional>
#include <string_view>

#include "storage/launch_folder.hpp"

namespace tenken::storage {

namespace {

constexpr int deepest = 256;  // each level holds a descriptor

// A folder of another file system, or of another place of the same one (mount --bind), is not ours.
struct Place {
  dev_t device = 0;
  std::optional<std::uint64_t> mount{};
  bool operator==(const Place&) const = default;
};

Place place_of(SystemCalls& system, int folder, const struct stat& of) {
  return Place{of.st_dev, system.mount(folder)};
}

bool remove_below(SystemCalls& system, int parent, const std::string& name, const Place& place, int level);

bool remove_entry(SystemCalls& system, int folder, const std::string& name, const Place& place, int level) {
  struct stat of {};
  if (fstatat(folder, name.c_str(), &of, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
  if (S_ISDIR(of.st_mode)) return remove_below(system, folder, name, place, level + 1);
  if (of.st_uid != system.user()) return false;
  return system.remove(folder, name.c_str(), 0) == 0 || errno == ENOENT;
}

bool remove_below(SystemCalls& system, int parent, const std::string& name, const Place& place, int level) {
  if (level > deepest) return false;
  const int folder = system.open_at(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (folder < 0) return errno == ENOENT;
  struct stat of {};
  bool all = system.status(folder, of) == 0 && of.st_uid == system.user() && place_of(system, folder, of) == place;
  if (all) {
    for (const std::string& entry : names_in(folder)) all = remove_entry(system, folder, entry, place, level) && all;
  }
  system.close(folder);
  return all && (system.remove(parent, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT);
}

}  // namespace

bool remove_tree(SystemCalls& system, int parent, const std::string& name) {
  struct stat of {};
  if (system.status(parent, of) != 0) return false;
  return remove_below(system, parent, name, place_of(system, parent, of), 0);
}

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // the position of `folder` stays
  if (again < 0) return names;
  DIR* stream = fdopendir(again);
  if (stream == nullptr) {
    close(again);
    return names;
  }
  while (const dirent* entry = readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  closedir(stream);
  return names;
}

}  // namespace tenken::storage
