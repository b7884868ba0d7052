#include "planted_calls.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

namespace staging {

namespace {
constexpr int late_every = 5;
constexpr std::chrono::milliseconds late{30};
}  // namespace

ssize_t PlantedCalls::write(int file, const void* from, std::size_t bytes, off_t at) {
  if (fault_ == "slow_root" && ++calls_ % late_every == 0) std::this_thread::sleep_for(late);
  if (fault_ == "full_disk" && (left_ -= static_cast<std::int64_t>(bytes)) < 0) {
    errno = ENOSPC;
    return -1;
  }
  return SystemCalls::write(file, from, bytes, at);
}

int PlantedCalls::rename(int folder, const char* from, const char* to) {
  return fault_ == "lost_rename" ? 0 : SystemCalls::rename(folder, from, to);
}

int PlantedCalls::drop_cache(int file) { return fault_ == "cached_read" ? 0 : SystemCalls::drop_cache(file); }

}  // namespace staging
