#include "kernel.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "nodes.hpp"

namespace memory {
namespace {

std::uint64_t plain(std::span<const std::uint64_t> words) {
  std::uint64_t total = 0;
  for (const std::uint64_t word : words) total += word;
  return total;
}

TEST_CASE("every number of streams reads each word once, for every remainder") {
  std::vector<std::uint64_t> words(400);
  fill(words, 3);
  for (const int streams : {1, 2, 4, 8}) {
    CHECK(can_read(streams));
    for (std::size_t n = 0; n <= words.size(); ++n) {
      CHECK(read(std::span(words).first(n), streams) == plain(std::span(words).first(n)));
    }
  }
  CHECK_FALSE(can_read(3));
  CHECK_THROWS_AS(read(words, 3), std::logic_error);
}

TEST_CASE("what is written is what is summed; other seeds and one wrong bit give another sum") {
  std::vector<std::uint64_t> words(1000);
  const std::uint64_t sum = fill(words, 5);
  CHECK(sum == plain(words));
  CHECK(read(words, 4) == sum);
  words[999] ^= 1;
  CHECK(read(words, 4) != sum);
  CHECK(fill(words, 6) != sum);
}

tenken::Topology two_sockets() {
  tenken::Topology topology;
  for (int cpu = 0; cpu < 4; ++cpu) topology.processors.push_back({cpu, cpu / 2, cpu, 0, cpu / 2});
  for (const int node : {0, 1}) topology.memory.push_back({node, tenken::MemoryKind::main, {}});
  topology.memory.push_back({2, tenken::MemoryKind::fast, {}});
  return topology;
}

TEST_CASE("threads belong to the NUMA nodes of their processors, and every memory node is read") {
  const Nodes nodes = nodes_of(two_sockets(), {3, 0, 2});
  CHECK(nodes.near == std::vector<int>{0, 1});
  CHECK(nodes.threads == std::vector<std::vector<int>>{{1}, {0, 2}});
  CHECK(nodes.memory == std::vector<int>{0, 1, 2});
  CHECK(nodes.near_names == std::vector<std::string>{"cores of 0", "cores of 1"});
  CHECK(nodes.memory_names == std::vector<std::string>{"0 main", "1 main", "2 fast"});
}

TEST_CASE("a system that tells of no memory nodes has one") {
  tenken::Topology topology;
  topology.processors.push_back({});
  const Nodes nodes = nodes_of(topology, {0, 7});
  CHECK(nodes.near == std::vector<int>{0});
  CHECK(nodes.threads.front() == std::vector<int>{0, 1});
  CHECK(nodes.memory.empty());
}

}  // namespace
}  // namespace memory
