// What the kernel counts of a process's reads and writes (/proc/self/io, proc(5)).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

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

// The counts from its beginning to end(), without the reading of the counts, which the kernel counts too.
class Counting {
 public:
  explicit Counting(Tree tree = Tree("/"))
      : tree_(std::move(tree)), before_(io_counts(tree_)), begin_(io_counts(tree_)) {}
  // Empty where the system does not show the counts.
  std::optional<IoCounts> end() const {
    const auto now = io_counts(tree_);
    if (!before_ || !begin_ || !now) return std::nullopt;
    return (*now - *begin_) - (*begin_ - *before_);
  }

 private:
  Tree tree_;
  std::optional<IoCounts> before_, begin_;
};

}  // namespace tenken::storage
