// What the kernel counts of a process's reads and writes (/proc/self/io, proc(5)).
#pragma once

#include <cstdint>
#include <optional>

#include "base/tree.hpp"

namespace tenken::storage {

struct IoCounts {
  std::int64_t read = 0;         // bytes that read calls gave (rchar)
  std::int64_t written = 0;      // bytes that write calls took (wchar)
  std::int64_t from_device = 0;  // read_bytes
  std::int64_t to_device = 0;    // write_bytes
  IoCounts operator-(const IoCounts& other) const {
    return {read - other.read, written - other.written, from_device - other.from_device, to_device - other.to_device};
  }
  IoCounts& operator+=(const IoCounts& other) {
    read += other.read;
    written += other.written;
    from_device += other.from_device;
    to_device += other.to_device;
    return *this;
  }
  bool operator==(const IoCounts&) const = default;
};

// Empty where the system does not say.
std::optional<IoCounts> io_counts(const Tree& tree = Tree("/"));

}  // namespace tenken::storage
