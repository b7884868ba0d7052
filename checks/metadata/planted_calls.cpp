#include "planted_calls.hpp"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>

namespace metadata {

namespace {

constexpr int late_every = 5;
constexpr std::chrono::milliseconds late{30};

bool is_file(std::string_view name) { return name.find("/f.") != std::string_view::npos; }

}  // namespace

void PlantedCalls::perhaps_late() {
  if (fault_ == "slow_root" && ++calls_ % late_every == 0) std::this_thread::sleep_for(late);
}

int PlantedCalls::open_at(int folder, const char* name, int flags, mode_t mode) {
  if (!is_file(name)) return SystemCalls::open_at(folder, name, flags, mode);
  perhaps_late();
  const bool makes = (flags & O_CREAT) != 0;
  if (makes && fault_ == "idle_create") return SystemCalls::open_at(AT_FDCWD, "/dev/null", O_WRONLY);
  if (makes && fault_ == "full_disk" && --left_ < 0) {
    errno = ENOSPC;
    return -1;
  }
  return SystemCalls::open_at(folder, name, flags, mode);
}

int PlantedCalls::status_at(int folder, const char* name, struct stat& into) {
  if (fault_ == "idle_stat") return 0;
  perhaps_late();
  return SystemCalls::status_at(folder, name, into);
}

ssize_t PlantedCalls::read(int file, void* into, std::size_t bytes, off_t at) {
  return fault_ == "idle_read" ? static_cast<ssize_t>(bytes) : SystemCalls::read(file, into, bytes, at);
}

int PlantedCalls::remove(int folder, const char* name, int flags) {
  if (!is_file(name)) return SystemCalls::remove(folder, name, flags);
  if (fault_ == "idle_remove") return 0;
  perhaps_late();
  return SystemCalls::remove(folder, name, flags);
}

}  // namespace metadata
