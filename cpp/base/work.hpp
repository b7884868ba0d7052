// What a piece of work costs: stated beside the kernel, counted by brute force in a test.
#pragma once

#include <cstdint>

namespace tenken {

// Work of one call. For sections of kind comm: bytes received and bytes sent.
struct Work {
  enum class Precision : std::int8_t { double_, single };

  std::int64_t flop = 0;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t messages = 0;
  Precision precision = Precision::double_;  // of the flop, one in a section: chooses their peak
  bool operator==(const Work&) const = default;
};

}  // namespace tenken
