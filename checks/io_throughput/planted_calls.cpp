#include "planted_calls.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

namespace io_throughput {

namespace {
constexpr int late_every = 5;
constexpr std::chrono::milliseconds late{30};
}  // namespace

PlantedCalls::PlantedCalls(std::string fault, bool here, std::int64_t bytes)
    : fault_(std::move(fault)), here_(here), left_(bytes / 2) {}

void PlantedCalls::perhaps_late() {
  if (fault_ == "slow_root" && here_ && ++calls_ % late_every == 0) std::this_thread::sleep_for(late);
}

ssize_t PlantedCalls::read(int file, void* into, std::size_t bytes, off_t at) {
  perhaps_late();
  return SystemCalls::read(file, into, bytes, at);
}

ssize_t PlantedCalls::write(int file, const void* from, std::size_t bytes, off_t at) {
  perhaps_late();
  if (fault_ == "full_disk" && here_) {
    left_ -= static_cast<std::int64_t>(bytes);
    if (left_ < 0) {
      errno = ENOSPC;
      return -1;
    }
  }
  if (fault_ == "late_close" && here_) {
    waiting_.push_back({file, from, bytes, at});
    return static_cast<ssize_t>(bytes);
  }
  return SystemCalls::write(file, from, bytes, at);
}

int PlantedCalls::sync(int file) { return waiting_.empty() ? SystemCalls::sync(file) : 0; }

int PlantedCalls::close(int file) {
  const bool waits = !waiting_.empty() && waiting_.front().file == file;
  for (const Waiting& one : waiting_) {
    if (waits && SystemCalls::write(one.file, one.from, one.bytes, one.at) < 0) return -1;
  }
  if (waits) {
    waiting_.clear();
    SystemCalls::sync(file);
  }
  return SystemCalls::close(file);
}

int PlantedCalls::drop_cache(int file) { return fault_ == "cached_read" ? 0 : SystemCalls::drop_cache(file); }

}  // namespace io_throughput
