// How buffers, offsets and lengths of direct reads and writes must lie.
#pragma once

#include <cstdint>
#include <optional>

#include "storage/system_calls.hpp"

namespace tenken::storage {

struct Alignment {
  std::int64_t memory = 1;  // bytes, a power of two
  std::int64_t offset = 1;  // bytes, a power of two; of lengths, too
  bool stated = false;      // by statx (kernel 6.1); else found by trial
};

// `file` is open for writing with O_DIRECT and empty; a trial leaves at most 64 KiB in it. Empty where the file system
// refuses direct writes.
std::optional<Alignment> direct_alignment(SystemCalls& system, int file);

}  // namespace tenken::storage
