#include "storage/cache_state.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "storage/block_device.hpp"

namespace tenken::storage {

namespace {

constexpr std::array<std::string_view, 7> names = {"cached",     "dropped", "direct", "outgrown",
                                                   "other_node", "memory",  "unknown"};
constexpr std::size_t can_be_asked_for = 5;

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * share);
  return text;
}

}  // namespace

std::string_view name_of(CacheState state) { return names[static_cast<std::size_t>(state)]; }

CacheState cache_state_from(std::string_view name) {
  for (std::size_t i = 0; i < can_be_asked_for; ++i) {
    if (names[i] == name) return static_cast<CacheState>(i);
  }
  refuse("cache state '" + std::string(name) +
         "' is not known; valid are cached, dropped, direct, outgrown, other_node");
}

FileSystem file_system_of(std::int64_t type) {
  struct Known {
    std::int64_t type;
    std::string_view name;
    FileSystemKind kind;
  };
  using enum FileSystemKind;
  constexpr std::array<Known, 22> known = {{
      {0xEF53, "ext4", local},           {0x58465342, "xfs", local},      {0x9123683E, "btrfs", local},
      {0x2FC12FC1, "zfs", hidden},       {0xF2F52010, "f2fs", local},     {0xCA451A4E, "bcachefs", local},
      {0x4d44, "vfat", local},           {0x2011BAB0, "exfat", local},    {0x5346544E, "ntfs", local},
      {0x794C7630, "overlay", local},    {0x01021994, "tmpfs", memory},   {0x858458F6, "ramfs", memory},
      {0x6969, "nfs", network},          {0x0BD00BD0, "lustre", network}, {0x47504653, "gpfs", network},
      {0x19830326, "beegfs", network},   {0x00C36400, "ceph", network},   {0xFF534D42, "cifs", network},
      {0xFE534D42, "smb2", network},     {0x01021997, "9p", hidden},      {0x65735546, "fuse", hidden},
      {0x20030528, "orangefs", network},
  }};
  for (const Known& one : known) {
    if (one.type == type) return {std::string(one.name), one.kind};
  }
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(type));
  return {text, hidden};
}

FileSystem file_system_below(SystemCalls& system, int folder, const Tree& tree) {
  FileSystem of = file_system_of(system.file_system(folder));
  struct stat status {};
  if (of.kind != FileSystemKind::local || system.status(folder, status) != 0) return of;
  if (const auto device = hidden_device(tree, system.mount(folder), status.st_dev)) {
    of.name += " on " + device->name;
    of.kind = device->in_memory ? FileSystemKind::memory : FileSystemKind::hidden;
  }
  return of;
}

Label label_of(const ReadFacts& facts) {
  using enum CacheState;
  const auto& [name, kind] = facts.system;
  if (kind == FileSystemKind::memory) return {memory, name + " lies in memory"};
  if (facts.asked == cached) return {cached, ""};
  if (kind == FileSystemKind::hidden && facts.asked != other_node) {
    return {unknown, "the system does not show which data of " + name + " are in memory of this node"};
  }
  if (kind == FileSystemKind::network && (facts.asked == dropped || facts.asked == outgrown)) {
    return {unknown, "the system does not show which pages of a network file system are in the cache"};
  }
  if (facts.asked == dropped && !facts.resident) {
    return {unknown, "the system does not show which pages are in the cache"};
  }
  if (facts.asked == dropped && *facts.resident >= most_resident) {
    return {cached, percent(*facts.resident) + " of the file was still in the page cache"};
  }
  if (kind == FileSystemKind::local && facts.from_device && *facts.from_device < least_from_device) {
    return {cached, percent(*facts.from_device) + " of the bytes came from a device"};
  }
  if (kind == FileSystemKind::local && !facts.from_device && facts.asked != dropped) {
    return {unknown, "the kernel does not count the bytes from a device"};
  }
  return {facts.asked, ""};
}

bool compared_with_direct(const ReadFacts& facts) {
  return facts.system.kind != FileSystemKind::local || !facts.from_device || *facts.from_device < least_from_device;
}

std::optional<double> drop(SystemCalls& system, int file, std::int64_t bytes, const std::string& what) {
  if (system.sync_data(file) != 0) impossible(what + ": " + std::strerror(errno) + " while the data were written out");
  system.drop_cache(file);  // an advice: the resident share shows its effect
  return system.resident_share(file, bytes);
}

}  // namespace tenken::storage
