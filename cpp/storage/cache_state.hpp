// Where the bytes of a read came from: what was asked for against what the system shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/tree.hpp"
#include "storage/system_calls.hpp"

namespace tenken::storage {

// The label of a row. Numbers are those of the recorded value `cache_state`.
enum class CacheState { cached = 0, dropped = 1, direct = 2, outgrown = 3, other_node = 4, memory = 5, unknown = 6 };

std::string_view name_of(CacheState state);
CacheState cache_state_from(std::string_view name);  // of the states that can be asked for; refuses others

// hidden: this node may have the data in memory where no system call shows them. Such are caches that are no page cache
// (ZFS), other processes of the node (FUSE), the host of a virtual machine (9p), the file behind a loop device.
enum class FileSystemKind { local, memory, network, hidden };

struct FileSystem {
  std::string name;  // "ext4", "ext4 on loop0", or "0x1234" where the number is not known
  FileSystemKind kind = FileSystemKind::local;
};

// By f_type of statfs (linux/magic.h and the headers of the file systems); hidden where the number is not known.
FileSystem file_system_of(std::int64_t type);

// The file system of an open folder, with a device below it that lies in memory or in a file (block_device.hpp).
FileSystem file_system_below(SystemCalls& system, int folder, const Tree& tree = Tree("/"));

// From so much of the file in the page cache on, a read is one of the cache.
constexpr double most_resident = 0.01;
// Below this share of the bytes read from a device, the rest came from a cache.
constexpr double least_from_device = 0.9;

struct ReadFacts {
  CacheState asked = CacheState::cached;
  FileSystem system{};
  std::optional<double> resident{};     // share in the page cache before the read, the most of all ranks and passes
  std::optional<double> from_device{};  // read_bytes of /proc/self/io over the bytes read, of all ranks; the least pass
};

struct Label {
  CacheState state = CacheState::unknown;
  std::string why;  // empty where the state is the one asked for
};

Label label_of(const ReadFacts& facts);

// True where only a comparison with direct reads can show that a cache was read: the kernel counts no device, or the
// storage is behind a network. Where a device of this node gave the bytes, reading ahead may be faster than direct
// calls.
bool compared_with_direct(const ReadFacts& facts);

// Writes the data of the file to the device and asks the kernel to forget its pages. The share of `bytes` that is still
// in the page cache; empty where the system does not say. Throws UserError (impossible), with `what`, on a failed
// write.
std::optional<double> drop(SystemCalls& system, int file, std::int64_t bytes, const std::string& what);

}  // namespace tenken::storage
