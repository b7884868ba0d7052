#include "gpu/choice.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

namespace tenken::gpu {

namespace {

constexpr int remote = 20;
constexpr int local = 10;
const std::string node_folder = "/sys/devices/system/node";

}  // namespace

int numa_of_card(const Tree& tree, std::string_view bus) {
  std::string folder(bus);  // the runtime writes capital letters, /sys small letters
  for (char& letter : folder) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return static_cast<int>(tree.number("/sys/bus/pci/devices/" + folder + "/numa_node").value_or(-1));
}

NumaDistances::NumaDistances(const Tree& tree) : nodes_(tree.numbered(node_folder, "node")) {
  for (const int node : nodes_) {
    std::vector<int> row;
    const auto text = tree.text(node_folder + "/node" + std::to_string(node) + "/distance").value_or("");
    for (const auto& word : split(text, ' ')) row.push_back(static_cast<int>(parse_number(word).value_or(remote)));
    rows_.push_back(std::move(row));
  }
}

int NumaDistances::between(const std::vector<int>& nodes, int card) const {
  const auto to = std::find(nodes_.begin(), nodes_.end(), card) - nodes_.begin();
  int nearest = -1;
  for (const int node : nodes) {
    const auto from = static_cast<std::size_t>(std::find(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
    int distance = node == card && card >= 0 ? local : remote;
    if (from < nodes_.size() && rows_[from].size() == nodes_.size() && to < std::ssize(nodes_)) {
      distance = rows_[from][static_cast<std::size_t>(to)];
    }
    nearest = nearest < 0 ? distance : std::min(nearest, distance);
  }
  return nearest < 0 ? remote : nearest;
}

std::vector<int> choose_cards(const std::vector<Seat>& ranks, const NumaDistances& distances) {
  using Pair = std::tuple<std::size_t, int, std::size_t, std::size_t>;  // cards of the rank, distance, rank, card
  std::vector<Pair> pairs;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Seat& seat = ranks[rank];
    for (std::size_t card = 0; card < seat.cards.size(); ++card) {
      pairs.emplace_back(seat.cards.size(), distances.between(seat.numa, seat.cards[card].numa), rank, card);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<int> chosen(ranks.size(), -1);
  for (bool progress = true; progress;) {  // each round takes every card at most once
    progress = false;
    std::set<std::string> taken;
    for (const auto& [cards, distance, rank, card] : pairs) {
      if (chosen[rank] < 0 && taken.insert(ranks[rank].cards[card].id).second) {
        chosen[rank] = static_cast<int>(card);
        progress = true;
      }
    }
  }
  return chosen;
}

}  // namespace tenken::gpu
