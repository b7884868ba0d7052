// The card of this rank: chosen together with the other ranks of the node, and recorded.
#pragma once

#include <string>
#include <vector>

#include "base/tree.hpp"
#include "gpu/facts.hpp"
#include "gpu/section_cost.hpp"
#include "measure/check.hpp"

namespace tenken::gpu {

// Collective over the ranks of `check`. `cards` are those that this rank may use (runtime.hpp, cards()), at least one.
// Returns the number of the card to use (runtime.hpp, use()), by the rule of choice.hpp; `tree` is where /sys lies. The
// record gets the card of each rank, and where the driver reports them the memory rate (by clock and bus width) and the
// last-level cache of all cards together. By hand the program prints how many ranks share how many cards of a node.
int take_card(Check& check, const std::vector<Facts>& cards, const Tree& tree = Tree("/"));

// Collective. The record gets the name of the card and the cost of sections on it, the worst of all ranks.
void record_section_cost(Check& check, const std::string& card, const SectionCost& cost);

// "3 ranks share 2 cards" where ranks of a node took the same card, by the ids of the cards that they took; else empty.
std::string sharing(const std::vector<std::string>& taken);

}  // namespace tenken::gpu
