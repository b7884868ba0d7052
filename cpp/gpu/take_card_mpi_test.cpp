// Runs on 4 ranks.
// Ranks of a node choose their cards together, and the record has the card of each.
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "gpu/take_card.hpp"
#include "testing/plant.hpp"

using namespace tenken;

namespace {

constexpr std::array<SectionSpec, 1> sections = {{{"work", Kind::compute, true, ""}}};
constexpr std::array<VariantSpec, 1> variants = {VariantSpec{"plain", "", false}};
const CheckTable table = {"made", "t", "q", "r", {}, sections, variants, {}};

// The record of a launch whose ranks use the cards that they took.
std::string recorded(const std::vector<gpu::Facts>& cards, const Tree& tree, int& own) {
  const testing::PlantedTree planted;
  std::array<char, 256> name{};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) planted.root().string().copy(name.data(), name.size() - 1);
  MPI_Bcast(name.data(), name.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
  const std::filesystem::path record = std::filesystem::path(name.data()) / "record";
  std::vector<std::string> words = {"made", "--placement", "none", "--record", record.string(), "--pages", name.data()};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  Check check(table, static_cast<int>(argv.size()), argv.data());
  own = gpu::take_card(check, cards, tree);
  gpu::record_section_cost(check, "NVIDIA X", {7000.0 + check.rank(), 900, check.rank() == 0 ? 0.75 : 1});
  check.repeat([](int) { const Section work{Leaf{0}}; });
  check.finish();
  std::ifstream file(record);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  MPI_Barrier(MPI_COMM_WORLD);
  return text;
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("ranks share cards in the number that is left to them, and the record has the card of each") {
  const testing::PlantedTree planted;
  planted.write("sys/bus/pci/devices/0000:b1:00.0/numa_node", "0");
  std::vector<gpu::Facts> cards(2);
  cards[0].name = cards[1].name = "NVIDIA X";
  cards[0].bus = "0000:B0:00.0";
  cards[1].bus = "0000:B1:00.0";
  cards[1].id = "GPU-1";
  cards[0].memory_rate = cards[1].memory_rate = 2e12;
  cards[0].cache_bytes = 40;  // that of the other is not known
  int own = -1, rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string text = recorded(cards, Tree(planted.root()), own);
  std::vector<int> all(static_cast<std::size_t>(ranks));
  MPI_Allgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
  int second = 0;
  for (const int card : all) second += card;
  CHECK(second >= ranks / 2);
  CHECK(second <= (ranks + 1) / 2);
  if (rank != 0) return;
  CHECK(count(text, R"("card":{"id":"0000:B0:00.0","name":"NVIDIA X","visible":2,"numa":null})") == ranks - second);
  CHECK(count(text, R"("card":{"id":"GPU-1","name":"NVIDIA X","visible":2,"numa":0})") == second);
  const bool both = second > 0 && second < ranks;
  const std::string rate = both ? "4e+12" : "2e+12";
  CHECK(count(text, R"("name":"device_memory_rate","unit":"B/s","value":)" + rate) == 1);
  CHECK(count(text, R"("name":"device_cache_bytes","unit":"B","value":40)") == (second == 0 ? 1 : 0));
  CHECK(count(text, R"("name":"section_cost","unit":"ns","value":)" + std::to_string(6999 + ranks)) == 1);
  CHECK(count(text, R"("name":"section_shown","unit":"ns","value":900)") == 1);
  CHECK(count(text, R"("name":"device_clock_error","unit":"1","value":0.25)") == 1);
}

TEST_CASE("ranks that share cards are counted by the cards that they took") {
  CHECK(gpu::sharing({}) == "");
  CHECK(gpu::sharing({"a"}) == "");
  CHECK(gpu::sharing({"a", "b"}) == "");
  CHECK(gpu::sharing({"a", "a"}) == "2 ranks share 1 card");
  CHECK(gpu::sharing({"a", "b", "a"}) == "3 ranks share 2 cards");
}
