// Where a processor is, as the kernel tells: the label of its row and column.
#pragma once

#include <string>

#include "base/tree.hpp"

namespace core_pingpong {

// "S.C.K.P": socket, last cache that it shares with others (named by its first processor; its own number where it
// shares none), core (by its first hardware thread), processor. What the system does not tell is 0.
std::string place_of(const tenken::Tree& tree, int cpu);

}  // namespace core_pingpong
