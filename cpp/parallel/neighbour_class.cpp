#include "parallel/neighbour_class.hpp"

#include <sched.h>

#include <array>

#include "base/processor_place.hpp"

namespace tenken {

const char* name_of(Near near) {
  constexpr std::array<const char*, 7> names = {"the same rank", "one core",    "one last-level cache", "one socket",
                                                "one node",      "the network", "unknown places"};
  return names[static_cast<std::size_t>(near)];
}

Near near_of(const Tree& tree, int cpu, int other) {
  if (cpu < 0 || other < 0) return Near::unknown;
  const ProcessorPlace mine = place_of_processor(tree, cpu);
  const ProcessorPlace theirs = place_of_processor(tree, other);
  if (mine.core == theirs.core) return Near::core;
  if (mine.cache == theirs.cache) return Near::cache;
  return mine.socket == theirs.socket ? Near::socket : Near::node;
}

int bound_processor(const Tree& tree) {
  const int cpu = sched_getcpu();
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (cpu < 0 || sched_getaffinity(0, sizeof mask, &mask) != 0) return -1;
  const int core = place_of_processor(tree, cpu).core;
  for (int other = 0; other < CPU_SETSIZE; ++other) {
    if (CPU_ISSET(other, &mask) && place_of_processor(tree, other).core != core) return -1;
  }
  return cpu;
}

}  // namespace tenken
