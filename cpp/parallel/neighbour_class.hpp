// How near the processors of two ranks are to each other.
#pragma once

#include <string>
#include <vector>

#include "base/tree.hpp"

namespace tenken {

// Numbers are those of the value `neighbour_class` of records. itself: a rank is the neighbour of that rank.
enum class Near { itself = 0, core = 1, cache = 2, socket = 3, node = 4, network = 5, unknown = 6 };
constexpr int near_classes = 7;
const char* name_of(Near near);

// Of two processors of one node: hardware threads of one core, one last-level cache, one package, else the node.
Near near_of(const Tree& tree, int cpu, int other);

// The processor of the calling thread where it is bound to that processor or to hardware threads of its core; else -1.
int bound_processor(const Tree& tree);

}  // namespace tenken
