// Where a processor is in its node, as the kernel shows it.
#pragma once

#include "base/tree.hpp"

namespace tenken {

struct ProcessorPlace {
  int socket = 0;  // physical package; 0 where the system does not show it
  int cache =
      0;         // first processor of the last cache that the core shares with other cores; `core` where it shares none
  int core = 0;  // first hardware thread of the core; `cpu` where the system does not show it
  int cpu = 0;
};

ProcessorPlace place_of_processor(const Tree& tree, int cpu);

}  // namespace tenken
