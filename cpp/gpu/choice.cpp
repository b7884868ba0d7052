#include "gpu/choice.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "gpu/link.hpp"

namespace tenken::gpu {

namespace {

constexpr int remote = 20;
constexpr int local = 10;
const std::string node_folder = "/sys/devices/system/node";

// Ranks at cards, with the least sum of distances, by successive shortest paths (Ahuja, Magnanti, Orlin, Network Flows,
// 1993, section 9.7): a rank that enters takes a card with room; or it takes the card of a rank that moves to another.
class Places {
 public:
  Places(const std::vector<Seat>& ranks, const NumaDistances& distances) : chosen_(ranks.size(), -1) {
    std::map<std::string, std::size_t> numbers;
    for (const Seat& seat : ranks) {
      auto& row = choices_.emplace_back();
      for (const Candidate& card : seat.cards) {
        const std::size_t number = numbers.emplace(card.id, numbers.size()).first->second;
        row.push_back({number, distances.between(seat.numa, card.numa)});
      }
    }
    load_.resize(numbers.size());
  }

  bool complete() const { return std::find(chosen_.begin(), chosen_.end(), -1) == chosen_.end(); }
  const std::vector<int>& chosen() const { return chosen_; }

  // The rank takes a card if it has none and a path ends at a card of fewer than `room` ranks.
  void enter(std::size_t rank, int room) {
    if (chosen_[rank] >= 0) return;
    std::vector<Step> best(load_.size());
    extend(best, rank, 0);
    for (bool shorter = true; shorter;) {  // Bellman and Ford, as a move can lower the sum
      shorter = false;
      for (std::size_t other = 0; other < chosen_.size(); ++other) {
        if (chosen_[other] < 0) continue;
        const Choice& now = chosen(other);
        if (best[now.card].sum < no_path) shorter |= extend(best, other, best[now.card].sum - now.distance);
      }
    }
    std::size_t end = load_.size();
    for (std::size_t card = 0; card < load_.size(); ++card) {
      const int least = end < load_.size() ? best[end].sum : no_path;
      if (load_[card] < room && best[card].sum < least) end = card;
    }
    if (end < load_.size()) move(best, end);
  }

 private:
  static constexpr int no_path = std::numeric_limits<int>::max();
  struct Choice {
    std::size_t card;
    int distance;
  };
  struct Step {  // the last of the shortest path to a card: the rank that takes the card, and its choice
    int sum = no_path;
    std::size_t rank = 0;
    int choice = -1;
  };

  const Choice& chosen(std::size_t rank) const { return choices_[rank][static_cast<std::size_t>(chosen_[rank])]; }

  bool extend(std::vector<Step>& best, std::size_t rank, int sum) const {
    bool shorter = false;
    for (std::size_t choice = 0; choice < choices_[rank].size(); ++choice) {
      const auto& [card, distance] = choices_[rank][choice];
      if (sum + distance >= best[card].sum) continue;
      best[card] = {sum + distance, rank, static_cast<int>(choice)};
      shorter = true;
    }
    return shorter;
  }

  // Moves the ranks of the path that ends at this card.
  void move(const std::vector<Step>& best, std::size_t card) {
    ++load_[card];
    for (bool entered = false; !entered;) {
      const Step& step = best[card];
      entered = chosen_[step.rank] < 0;
      if (!entered) card = chosen(step.rank).card;
      chosen_[step.rank] = step.choice;
    }
  }

  std::vector<std::vector<Choice>> choices_;  // by rank
  std::vector<int> chosen_;                   // by rank, the place in its choices; -1: none
  std::vector<int> load_;                     // ranks by card
};

}  // namespace

int numa_of_card(const Tree& tree, std::string_view bus) {
  return static_cast<int>(tree.number(card_folder(bus) + "numa_node").value_or(-1));
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
  Places places(ranks, distances);
  for (int room = 1; !places.complete(); ++room) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) places.enter(rank, room);
  }
  return places.chosen();
}

}  // namespace tenken::gpu
