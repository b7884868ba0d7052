// The data caches of a processor as the kernel tells them; on virtual machines not always those that are there.
#pragma once

#include <cstdint>
#include <map>

#include "base/tree.hpp"

namespace cache {

// Level -> bytes of the data or unified cache of that level; empty where the system does not tell.
std::map<int, std::int64_t> known_caches(const tenken::Tree& tree, int cpu);

}  // namespace cache
