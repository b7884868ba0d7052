#include "base/buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "base/control_group.hpp"
#include "base/error.hpp"
#include "base/tree.hpp"

namespace tenken {

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

std::string gib(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g GiB", bytes / (1 << 30));
  return text;
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
  return std::min(available, memory_left(Tree("/")).value_or(no_limit));
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
