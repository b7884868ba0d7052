// Which card each rank of a node takes, on a captured node with two sockets of two NUMA nodes each and planted cards.
#include "gpu/choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "testing/plant.hpp"

using namespace tenken;
using namespace tenken::gpu;

namespace {

struct Node {
  Node() {
    for (int card = 0; card < 4; ++card) plant(card, card);  // card i is attached to NUMA node i
  }
  void plant(int card, int numa) const {
    planted.write("sys/bus/pci/devices/" + address(card, 'b') + "/numa_node", std::to_string(numa));
  }
  static std::string address(int card, char letter) {
    return std::string("0000:") + letter + std::to_string(card) + ":00.0";
  }
  // Of these cards, as /sys reports them.
  std::vector<Candidate> cards(const std::vector<int>& numbers) const {
    std::vector<Candidate> all;
    for (const int card : numbers)
      all.push_back({"GPU-" + std::to_string(card), numa_of_card(tree, address(card, 'B'))});
    return all;
  }
  // The ids of the cards of ranks whose threads are on these NUMA nodes.
  std::string chosen(const std::vector<std::vector<int>>& ranks, const std::vector<int>& numbers = {0, 1, 2, 3}) const {
    std::vector<Seat> seats;
    for (const auto& numa : ranks) seats.push_back({numa, cards(numbers)});
    return ids(seats);
  }
  std::string ids(const std::vector<Seat>& seats) const {
    const auto places = choose_cards(seats, NumaDistances(tree));
    std::string text;
    for (std::size_t rank = 0; rank < seats.size(); ++rank) {
      REQUIRE(places[rank] >= 0);
      text += seats[rank].cards[static_cast<std::size_t>(places[rank])].id.back();
    }
    return text;
  }

  testing::PlantedTree planted{MACHINES "two_sockets_snc.tree"};
  Tree tree{planted.root()};
};

}  // namespace

TEST_CASE("the bus address of a card leads to its NUMA node; -1 where /sys reports none") {
  const Node node;
  CHECK(numa_of_card(node.tree, "0000:B2:00.0") == 2);
  CHECK(numa_of_card(node.tree, "0000:b2:00.0") == 2);
  node.plant(3, -1);  // written by kernels where firmware names no node
  CHECK(numa_of_card(node.tree, "0000:B3:00.0") == -1);
  CHECK(numa_of_card(node.tree, "0000:FF:00.0") == -1);
  CHECK(numa_of_card(node.tree, "") == -1);
}

TEST_CASE("distances are those of the nearest node; the unknown is remote") {
  const Node node;
  const NumaDistances distances(node.tree);
  CHECK(distances.between({0}, 0) == 10);
  CHECK(distances.between({0}, 1) == 12);
  CHECK(distances.between({0}, 2) == 21);
  CHECK(distances.between({0, 3}, 2) == 12);
  CHECK(distances.between({0}, -1) == 20);
  CHECK(distances.between({7}, 0) == 20);
  CHECK(distances.between({}, 0) == 20);
  const testing::PlantedTree empty;
  const NumaDistances none{Tree(empty.root())};
  CHECK(none.between({1}, 1) == 10);
  CHECK(none.between({1}, 0) == 20);
  CHECK(none.between({-1}, -1) == 20);
}

TEST_CASE("each rank takes the card of its NUMA node") {
  const Node node;
  CHECK(node.chosen({{0}, {1}, {2}, {3}}) == "0123");
  CHECK(node.chosen({{3}, {2}, {1}, {0}}) == "3210");
  CHECK(node.chosen({{2}}) == "2");
  CHECK(node.chosen({{2, 3}, {0, 1}}) == "20");  // of two equally near cards the earlier
}

TEST_CASE("a rank whose nearest card is taken takes the next nearest card") {
  const Node node;
  CHECK(node.chosen({{0}, {0}}) == "01");  // the card of the same socket, not of the other
  CHECK(node.chosen({{3}, {3}, {3}}) == "320");
  CHECK(node.chosen({{2}, {2}}, {3, 1, 2}) == "23");
}

TEST_CASE("a rank with two near cards leaves the only near card of another rank") {
  const Node node;
  CHECK(node.chosen({{0, 1}, {1}}, {1, 0}) == "01");
  CHECK(node.chosen({{0, 1}, {1}}, {1, 2, 0}) == "01");
  CHECK(node.chosen({{0, 1}, {1, 2}, {2, 3}, {3}}, {3, 2, 1, 0}) == "0123");
}

TEST_CASE("the sum of distances is the least of all choices") {
  const Node node;
  const NumaDistances distances(node.tree);
  const std::vector<std::vector<int>> places = {{0}, {1}, {2}, {3}, {0, 1}, {1, 2}, {2, 3}, {0, 3}};
  const std::vector<Candidate> cards = node.cards({3, 1, 0, 2});
  for (std::size_t launch = 0; launch < 8 * 8 * 8 * 8; ++launch) {
    std::vector<Seat> seats;
    for (std::size_t rest = launch; seats.size() < 4; rest /= 8) seats.push_back({places[rest % 8], cards});
    const auto sum = [&](const std::vector<int>& of) {
      int all = 0;
      for (std::size_t rank = 0; rank < 4; ++rank)
        all += distances.between(seats[rank].numa, cards[static_cast<std::size_t>(of[rank])].numa);
      return all;
    };
    std::vector<int> order = {0, 1, 2, 3};
    int least = sum(order);
    while (std::next_permutation(order.begin(), order.end())) least = std::min(least, sum(order));
    REQUIRE(sum(choose_cards(seats, distances)) == least);
  }
}

TEST_CASE("without a report of NUMA nodes ranks take the cards in turn") {
  const Node node;
  for (int card = 0; card < 4; ++card) node.plant(card, -1);
  CHECK(node.chosen({{0}, {1}, {2}, {3}}) == "0123");
  CHECK(node.chosen({{3}, {3}}) == "01");
}

TEST_CASE("no card has two ranks more than another card, for any numbers of ranks and cards") {
  const Node node;
  for (int cards = 1; cards <= 4; ++cards) {
    std::vector<int> numbers;
    for (int card = 0; card < cards; ++card) numbers.push_back(card);
    for (std::size_t count = 1; count <= 11; ++count) {
      for (int seed = 0; seed < 5; ++seed) {
        std::vector<std::vector<int>> ranks;
        for (std::size_t rank = 0; rank < count; ++rank)
          ranks.push_back({static_cast<int>(rank * 7 + rank / 3) * seed % 4});
        std::map<char, int> of;
        for (const char id : node.chosen(ranks, numbers)) ++of[id];
        int most = 0, least = static_cast<int>(of.size()) < cards ? 0 : 99;
        for (const auto& [id, ranks_of_card] : of) {
          most = std::max(most, ranks_of_card);
          least = std::min(least, ranks_of_card);
        }
        CHECK(most - least <= 1);
      }
    }
  }
}

TEST_CASE("ranks with different lists take cards of their lists") {
  const Node node;
  CHECK(node.ids({{{0}, node.cards({2})}, {{0}, node.cards({1})}}) == "21");
  CHECK(node.ids({{{0}, node.cards({0, 1})}, {{1}, node.cards({0})}}) == "10");  // the second has no other
  CHECK(node.ids({{{0}, node.cards({1})}, {{0}, node.cards({1})}, {{0}, node.cards({1, 0})}}) == "110");
  // The first leaves its nearest card to the last: no two ranks share a card while another card is free.
  CHECK(node.ids({{{0}, node.cards({0, 1})}, {{2}, node.cards({1, 2})}, {{0}, node.cards({0, 2})}}) == "120");
}
