#include "base/buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "base/error.hpp"

namespace tenken {

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

std::string gib(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB", bytes / (1 << 30));
  return text;
}

std::int64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t n = no_limit;
  return file >> n ? n : no_limit;
}

// Lengths of mappings are rounded up so that a mapping starts and ends on a huge page.
std::size_t mapped_length(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + huge_page - 1) / huge_page * huge_page;
}
}  // namespace

Pages pages_from(std::string_view name) {
  if (name == "base") return Pages::base;
  if (name == "huge") return Pages::huge;
  if (name == "any") return Pages::any;
  refuse("pages '" + std::string(name) + "' are not known; valid are base, huge, any");
}

std::int64_t available_memory_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::int64_t available = no_limit;
  for (std::string line; std::getline(meminfo, line);) {
    if (line.starts_with("MemAvailable:")) available = std::stoll(line.substr(13)) * 1024;
  }
  // Version 2 of control groups at the root of a container, then version 1; "max" reads as no limit.
  for (const auto& [limit, used] :
       {std::pair{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        std::pair{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}) {
    const std::int64_t most = number_in(limit);
    const std::int64_t now = number_in(used);
    if (most != no_limit && now != no_limit) available = std::min(available, std::max<std::int64_t>(most - now, 0));
  }
  return available;
}

namespace detail {

void* map_pages(std::size_t bytes, Pages pages, std::string_view purpose) {
  const std::size_t length = mapped_length(bytes);
  const auto too_little = [&](double available) {
    impossible(std::string(purpose) + " needs " + gib(static_cast<double>(bytes)) + " of memory, but " +
               gib(available) + " are available; choose a smaller size");
  };
  const std::int64_t available = available_memory_bytes();
  if (static_cast<std::int64_t>(length) > available) too_little(static_cast<double>(available));
  // One huge page more than needed, then cut to alignment: mmap itself promises small pages only.
  void* raw =
      mmap(nullptr, length + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) too_little(static_cast<double>(available));
  auto start = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t aligned = (start + huge_page - 1) / huge_page * huge_page;
  if (aligned > start) munmap(raw, aligned - start);
  if (aligned + length < start + length + huge_page) {
    munmap(reinterpret_cast<void*>(aligned + length), start + huge_page - aligned);
  }
  void* address = reinterpret_cast<void*>(aligned);
  if (pages == Pages::huge) madvise(address, length, MADV_HUGEPAGE);
  if (pages == Pages::base) madvise(address, length, MADV_NOHUGEPAGE);
  return address;
}

void unmap_pages(void* address, std::size_t bytes) noexcept {
  if (address != nullptr) munmap(address, mapped_length(bytes));
}

std::size_t huge_bytes_of(const void* address) {
  std::ifstream smaps("/proc/self/smaps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    std::uintptr_t low = 0;
    std::uintptr_t high = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> low >> dash >> high && dash == '-') {
      inside = low <= wanted && wanted < high;
    } else if (inside && line.starts_with("AnonHugePages:")) {
      return std::stoull(line.substr(14)) * 1024;
    }
  }
  return 0;
}

}  // namespace detail
}  // namespace tenken
