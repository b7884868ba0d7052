// Reads and writes of all bytes asked for, in as many calls as the system needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "storage/system_calls.hpp"

namespace tenken::storage {

// Bytes written: fewer than `bytes` on an error, with errno; errno is 0 where a call wrote nothing without an error.
std::int64_t write_all(SystemCalls& system, int file, const std::byte* from, std::int64_t bytes, std::int64_t at);

// Bytes read: fewer than `bytes` on an error, with errno, and at the end of the file, where errno is 0.
std::int64_t read_all(SystemCalls& system, int file, std::byte* into, std::int64_t bytes, std::int64_t at);

}  // namespace tenken::storage
