#include "gpu/take_card.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "gpu/choice.hpp"
#include "measure/record.hpp"

namespace tenken::gpu {

namespace {

std::string id_of(const Facts& card) { return card.id.empty() ? card.bus : card.id; }

// A seat as text, for a message: the NUMA nodes, then a line for each card. No id has white space.
std::string packed(const Seat& seat) {
  std::string text;
  for (const int node : seat.numa) text += std::to_string(node) + " ";
  for (const Candidate& card : seat.cards) text += "\n" + card.id + " " + std::to_string(card.numa);
  return text;
}

Seat unpacked(const std::string& text) {
  Seat seat;
  const auto first = text.find('\n');
  for (const auto& word : split(text.substr(0, first), ' ')) seat.numa.push_back(std::stoi(word));
  for (const auto& line : split(text.substr(first), '\n')) {
    const auto words = split(line, ' ');
    seat.cards.push_back({words.front(), std::stoi(words.back())});
  }
  return seat;
}

// The seats of all ranks of this node; `own` is the place of this rank among them.
std::vector<Seat> seats_of_node(MPI_Comm comm, const Seat& mine, int& own) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int ranks = 1;
  MPI_Comm_rank(node, &own);
  MPI_Comm_size(node, &ranks);
  const std::string text = packed(mine);
  const int size = static_cast<int>(text.size());
  std::vector<int> sizes(static_cast<std::size_t>(ranks)), starts(static_cast<std::size_t>(ranks) + 1);
  MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, node);
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) starts[rank + 1] = starts[rank] + sizes[rank];
  std::string all(static_cast<std::size_t>(starts.back()), ' ');
  MPI_Allgatherv(text.data(), size, MPI_CHAR, all.data(), sizes.data(), starts.data(), MPI_CHAR, node);
  MPI_Comm_free(&node);
  std::vector<Seat> seats;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    seats.push_back(
        unpacked(all.substr(static_cast<std::size_t>(starts[rank]), static_cast<std::size_t>(sizes[rank]))));
  }
  return seats;
}

// Memory rate and last-level cache of all cards of the launch together, each counted once, where all are known.
void record_memory(Check& check, const Facts& card, std::ptrdiff_t ranks_on_card) {
  const auto record = [&](const char* name, const char* unit, double of_card) {
    const double lowest = -check.max_over_ranks(-of_card);
    const double all = check.sum_over_ranks(of_card / static_cast<double>(ranks_on_card));
    if (lowest > 0) check.value(name, unit, all);
  };
  record("device_memory_rate", "B/s", card.memory_rate);
  record("device_cache_bytes", "B", static_cast<double>(card.cache_bytes));
}

}  // namespace

std::string sharing(const std::vector<std::string>& taken) {
  const std::set<std::string> cards(taken.begin(), taken.end());
  if (cards.size() == taken.size()) return "";
  return std::to_string(taken.size()) + " ranks share " + std::to_string(cards.size()) +
         (cards.size() == 1 ? " card" : " cards");
}

void record_section_cost(Check& check, const std::string& card, const SectionCost& cost) {
  check.library("device", card);
  check.value("section_cost", "ns", check.max_over_ranks(cost.host_ns));
  check.value("section_shown", "ns", check.max_over_ranks(cost.card_ns));
  check.value("device_clock_error", "1", check.max_over_ranks(std::abs(cost.ratio - 1)));
}

int take_card(Check& check, const std::vector<Facts>& cards, const Tree& tree) {
  Seat mine{check.numa(), {}};
  for (const Facts& card : cards) mine.cards.push_back({id_of(card), numa_of_card(tree, card.bus)});
  int own = 0;
  const std::vector<Seat> seats = seats_of_node(check.comm(), mine, own);
  const std::vector<int> chosen = choose_cards(seats, NumaDistances(tree));
  std::vector<std::string> taken;
  for (std::size_t rank = 0; rank < seats.size(); ++rank) {
    taken.push_back(seats[rank].cards[static_cast<std::size_t>(chosen[rank])].id);
  }
  const auto card = static_cast<std::size_t>(chosen[static_cast<std::size_t>(own)]);
  check.card({mine.cards[card].id, cards[card].name, static_cast<int>(cards.size()), mine.cards[card].numa},
             sharing(taken));
  record_memory(check, cards[card], std::count(taken.begin(), taken.end(), mine.cards[card].id));
  return static_cast<int>(card);
}

}  // namespace tenken::gpu
