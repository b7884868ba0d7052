// The caches of a node, as /sys tells them, and what one rank may count on of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cache_share.hpp"
#include "base/tree.hpp"

namespace tenken {

struct Cache {
  std::int64_t level = 0;
  std::string type;       // Data, Instruction or Unified
  std::vector<int> cpus;  // that share it
  std::optional<std::int64_t> bytes, line, ways;
};

// The distinct caches of these processors.
std::vector<Cache> read_caches(const Tree& tree, const std::vector<int>& cpus);

// For a rank with `threads` threads on the processors `own`, where `all` are the processors of each rank of its node,
// this one included. Each cache that a rank reaches is divided among the ranks that reach it; no rank has more caches
// than threads, and no processor that is shown more than 32 MiB of one.
CacheShare cache_share(const std::vector<Cache>& caches, int threads, const std::vector<int>& own,
                       const std::vector<std::vector<int>>& all);

}  // namespace tenken
