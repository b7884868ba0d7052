// The network cards of a node, which processors are near them, and where their interrupts go.
#pragma once

#include <string>
#include <vector>

#include "base/tree.hpp"
#include "measure/record_table.hpp"

namespace mpi_pt2pt {

struct Interrupt {
  int number;
  int cpu;  // the first that handles it
};

struct Card {
  std::string name;
  std::vector<int> near;  // processors of its own memory node, as the kernel tells
  std::vector<Interrupt> interrupts;
};

// Cards with a device behind them (InfiniBand and Omni-Path ports, Ethernet), by name.
std::vector<Card> cards_of(const tenken::Tree& tree);

// A row for each card, a column for each processor: 1 where it is near.
tenken::Table near_table(const std::vector<Card>& cards, const std::vector<int>& cpus);

// A row CARD/INTERRUPT for each interrupt, with the processor that handles it.
tenken::Table interrupt_table(const std::vector<Card>& cards);

}  // namespace mpi_pt2pt
