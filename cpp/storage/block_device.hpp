// Block devices whose bytes lie in memory or in a file of this node: reads of them are counted as reads of a device
// (/proc/self/io), although a cache may have answered.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/tree.hpp"

namespace tenken::storage {

struct HiddenDevice {
  std::string name;        // "loop0"
  bool in_memory = false;  // else: which of its bytes are in memory is not shown
};

// The first such device below the mounted file system; empty where there is none, or where /sys shows no device.
// `mount`: number of the mount in /proc/self/mountinfo, where it is known; `device`: st_dev of a file.
std::optional<HiddenDevice> hidden_device(const Tree& tree, std::optional<std::uint64_t> mount, dev_t device);

}  // namespace tenken::storage
