#include "storage/alignment.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace tenken::storage {

std::optional<Alignment> direct_alignment(SystemCalls& system, int file) {
  if (const auto stated = system.stated_alignment(file)) {
    if (stated->memory <= 0 || stated->offset <= 0) return std::nullopt;
    return Alignment{stated->memory, stated->offset, true};
  }
  constexpr std::array<std::int64_t, 3> trials = {512, 4096, 65536};
  std::vector<std::byte> space(2 * static_cast<std::size_t>(trials.back()));
  for (const std::int64_t trial : trials) {
    const auto bytes = static_cast<std::size_t>(trial);
    const auto past = reinterpret_cast<std::uintptr_t>(space.data()) % bytes;
    std::byte* aligned = space.data() + (bytes - past) % bytes;
    if (system.write(file, aligned, bytes, 0) == static_cast<ssize_t>(trial)) return Alignment{trial, trial, false};
  }
  return std::nullopt;
}

}  // namespace tenken::storage
