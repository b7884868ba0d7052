// Where pages of memory may come from and where they are, by system calls: no library is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tenken {

// From now on the calling thread takes new pages from these memory nodes only. 0, or the error number of the system.
int take_pages_from(const std::vector<int>& nodes);

struct PagesOfNode {
  int node = 0;
  std::int64_t pages = 0;
};

// A sample of the pages that this process has written, evenly over its writable memory without a file behind it: number
// of sampled pages on each memory node, by node. Empty where the system does not tell.
std::optional<std::vector<PagesOfNode>> pages_by_node();

}  // namespace tenken
