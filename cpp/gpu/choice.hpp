// Which card each rank of a node takes: every card in turn, with the least distances in sum.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/tree.hpp"

namespace tenken::gpu {

// A card that a rank may use.
struct Candidate {
  std::string id;  // alike only for ranks that may use the same card
  int numa = -1;   // NUMA node that the card is attached to; -1: not reported
};

// A rank of a node: the NUMA nodes of its processors, and its cards in the order of its runtime, at least one.
struct Seat {
  std::vector<int> numa;
  std::vector<Candidate> cards;
};

// The NUMA node of the card at this bus address ("0000:3B:00.0"), by /sys/bus/pci/devices; -1 where /sys reports none.
int numa_of_card(const Tree& tree, std::string_view bus);

// Distances between NUMA nodes as /sys/devices/system/node reports them (ACPI SLIT): 10 inside of a node, larger
// beyond.
class NumaDistances {
 public:
  explicit NumaDistances(const Tree& tree);

  // Of the nearest of `nodes`. Unknown nodes and distances count as remote: 20, as firmware reports by default.
  int between(const std::vector<int>& nodes, int card) const;

 private:
  std::vector<int> nodes_;
  std::vector<std::vector<int>> rows_;  // by position in nodes_
};

// By rank, the place of its card in its list. No two ranks share a card while a choice without sharing exists; then no
// three; and so on. So where all ranks may use the same cards, no card has two ranks more than another card. Where
// no two ranks share a card, the sum of the distances is the least.
std::vector<int> choose_cards(const std::vector<Seat>& ranks, const NumaDistances& distances);

}  // namespace tenken::gpu
