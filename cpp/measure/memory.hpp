// Where pages of memory may come from and where they are, by system calls: no library is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/tree.hpp"

namespace tenken {

// From now on the calling thread takes new pages from these memory nodes only. 0, or the error number of the system.
int take_pages_from(const std::vector<int>& nodes);

struct PagesOfNode {
  int node = 0;
  std::int64_t pages = 0;
};

// Of what move_pages tells of pages: the node of each, or a negative error number where it was never written.
std::vector<PagesOfNode> count_by_node(const std::vector<int>& status);

// A sample of the pages that this process has written, evenly over its writable memory without a file behind it: number
// of sampled pages on each memory node, by node. Empty where the system does not tell.
std::optional<std::vector<PagesOfNode>> pages_by_node(const Tree& tree = Tree("/"));

}  // namespace tenken
