// Runs on 1, 2 and 4 ranks.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "measure/fake_perf.hpp"
#include "measure/launch_counters.hpp"
#include "measure/open_sections.hpp"
#include "testing/plant.hpp"

#if TENKEN_SECTIONS

using namespace tenken;

namespace {

constexpr std::array<SectionSpec, 2> sections = {{{"a", Kind::compute, true, ""}, {"b", Kind::compute, true, ""}}};
constexpr Leaf a{0};
constexpr Work some = {.flop = 10, .bytes_read = 20, .bytes_written = 30};

CheckTable made_table() {
  CheckTable table{};
  table.sections = sections;
  return table;
}

struct Node : testing::PlantedTree {
  Node() {
    write("proc/cpuinfo", "vendor_id\t: AuthenticAMD");
    write("proc/sys/kernel/perf_event_paranoid", "3");
    write("sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size", "128");
  }
  Tree tree() const { return Tree(root()); }
};

struct World {
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  int rank = 0, ranks = 1;
};

LaunchCounted counted(FakePerf& fake) {
  const Node node;
  const OpenSections open(made_table());
  LaunchCounters counters;
  CHECK_FALSE(counters.wanted());
  counters.start(MPI_COMM_WORLD, 1, sections.size(), fake, node.tree());
  CHECK(counters.wanted());
  { Section s{a, some}; }
  { Section s{a, some}; }
  counters.stop();
  { Section s{a, some}; }  // not counted
  return counters.gathered(MPI_COMM_WORLD, 0.5);
}

std::string json_of(const LaunchCounted& one) {
  Json json;
  write_counted(json, one);
  return json.text();
}

}  // namespace

TEST_CASE("sums are of all ranks; what the processor does not count is null") {
  const World world;
  FakePerf fake;
  // Of whatever number of threads MPI has here.
  const LaunchCounted all = counted(fake);
  REQUIRE(all.problem == "");
  REQUIRE(all.sections.size() == 2);
  const CountedSection& one = all.sections[0];
  CHECK(one.samples == 2 * world.ranks);
  CHECK(one.flop == 20 * world.ranks);
  CHECK(one.counts[0] > 0);
  CHECK(one.counts[1] == 2 * one.counts[0]);
  CHECK(all.sections[1].samples == 0);
  CHECK(all.counts == std::array<bool, counted_events>{true, true, true, false});
  const std::string text = json_of(all);
  CHECK(text.starts_with(R"({"problem":null,"memory_problem":"not named: )"));
  CHECK(text.find(R"("line_bytes":128,"late_threads":0,"memory_ranks":0,"sections":[{"section":0,"samples":)") !=
        std::string::npos);
  CHECK(text.find(R"("last_level_misses":null,"memory_samples":0,"memory_read":null,"memory_written":null,"flop":)") !=
        std::string::npos);
  CHECK(text.find(R"("section":1)") == std::string::npos);
  const std::vector<LiveSection> live = {{"a", nullptr}, {"b", nullptr}};
  const std::string words = counted_in_words(all, live, world.ranks, 1);
  CHECK(words.find("\na  ") != std::string::npos);
  CHECK(words.find("\nb  ") == std::string::npos);
  CHECK(words.find("memory   not named: ") != std::string::npos);
}

TEST_CASE("counters that stay 0 are a sentence") {
  const World world;
  FakePerf fake;
  fake.step = 0;
  const LaunchCounted all = counted(fake);
  CHECK(all.problem == "not counted: the counter of instructions is 0 after " + std::to_string(2 * world.ranks) +
                           " samples; a hypervisor may offer counters that do not count");
  CHECK(all.sections.empty());
}

TEST_CASE("a rank that is denied is a sentence for all, once") {
  const World world;
  FakePerf fake;
  if (world.rank == world.ranks - 1) fake.error = EPERM;
  const LaunchCounted all = counted(fake);
  const std::string sentence = "not permitted: /proc/sys/kernel/perf_event_paranoid says 3";
  CHECK(all.problem == sentence);
  CHECK(all.sections.empty());
  CHECK(json_of(all) == R"({"problem":")" + sentence + R"("})");
  CHECK(counted_in_words(all, {}, world.ranks, 1) == "counters " + sentence + "\n");
}

#endif
