#include "storage/cache_state.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.hpp"

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
      {0x2FC12FC1, "zfs", local},        {0xF2F52010, "f2fs", local},     {0xCA451A4E, "bcachefs", local},
      {0x4d44, "vfat", local},           {0x2011BAB0, "exfat", local},    {0x5346544E, "ntfs", local},
      {0x794C7630, "overlay", local},    {0x01021994, "tmpfs", memory},   {0x858458F6, "ramfs", memory},
      {0x6969, "nfs", network},          {0x0BD00BD0, "lustre", network}, {0x47504653, "gpfs", network},
      {0x19830326, "beegfs", network},   {0x00C36400, "ceph", network},   {0xFF534D42, "cifs", network},
      {0xFE534D42, "smb2", network},     {0x01021997, "9p", network},     {0x65735546, "fuse", network},
      {0x20030528, "orangefs", network},
  }};
  for (const Known& one : known) {
    if (one.type == type) return {std::string(one.name), one.kind};
  }
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(type));
  return {text, network};  // nothing is known of its caches
}

Label label_of(const ReadFacts& facts) {
  using enum CacheState;
  if (facts.kind == FileSystemKind::memory) return {memory, "the file system lies in memory"};
  if (facts.asked == cached) return {cached, ""};
  const bool network = facts.kind == FileSystemKind::network;
  if (network && (facts.asked == dropped || facts.asked == outgrown)) {
    return {unknown, "the system does not show which pages a network file system has in its cache"};
  }
  if (facts.asked == dropped && !facts.resident) {
    return {unknown, "the system does not show which pages are in the cache"};
  }
  if (facts.asked == dropped && *facts.resident >= most_resident) {
    return {cached, percent(*facts.resident) + " of the file was still in the page cache"};
  }
  if (!network && facts.from_device && *facts.from_device < least_from_device) {
    return {cached, percent(*facts.from_device) + " of the bytes came from a device"};
  }
  return {facts.asked, ""};
}

bool compared_with_direct(const ReadFacts& facts) {
  return facts.kind == FileSystemKind::network || !facts.from_device || *facts.from_device < least_from_device;
}

std::optional<double> drop(SystemCalls& system, int file, std::int64_t bytes, const std::string& what) {
  if (system.sync_data(file) != 0) impossible(what + ": " + std::strerror(errno) + " while the data were written out");
  system.drop_cache(file);  // an advice: the resident share shows its effect
  return system.resident_share(file, bytes);
}

}  // namespace tenken::storage
