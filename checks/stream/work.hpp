// What STREAM counts: the bytes that the loop names, each once. A plain store also
// reads the line it is about to overwrite (write-allocate), so memory moves up to
// 3/2 (copy, scale) or 4/3 (add, triad) of this; non-temporal stores do not.
#pragma once

#include "measure/section.hpp"

namespace stream {

inline tenken::Work copy_work(std::int64_t n) { return {.bytes_read = 8 * n, .bytes_written = 8 * n}; }
inline tenken::Work scale_work(std::int64_t n) { return {.flop = n, .bytes_read = 8 * n, .bytes_written = 8 * n}; }
inline tenken::Work add_work(std::int64_t n) { return {.flop = n, .bytes_read = 16 * n, .bytes_written = 8 * n}; }
inline tenken::Work triad_work(std::int64_t n) { return {.flop = 2 * n, .bytes_read = 16 * n, .bytes_written = 8 * n}; }
inline tenken::Work read_work(std::int64_t n) { return {.flop = n, .bytes_read = 8 * n}; }

}  // namespace stream
