#include "base/caches.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "testing/plant.hpp"

using namespace tenken;
using Lists = std::vector<std::vector<int>>;

namespace {

constexpr double mib = 1 << 20;

// Two third-level caches of 32 MiB under processors 0-1 and 2-3, a second level of 1 MiB for each processor, and an
// instruction cache behind them that holds no data.
std::vector<Cache> two_caches() {
  const testing::PlantedTree tree;
  const auto plant = [&](int cpu, int index, const std::string& level, const std::string& type, const std::string& size,
                         const std::string& cpus) {
    const std::string at =
        "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache/index" + std::to_string(index) + "/";
    tree.write(at + "level", level);
    tree.write(at + "type", type);
    tree.write(at + "size", size);
    tree.write(at + "shared_cpu_list", cpus);
  };
  for (int cpu = 0; cpu < 4; ++cpu) {
    plant(cpu, 0, "4", "Instruction", "1M", std::to_string(cpu));
    plant(cpu, 1, "2", "Unified", "1024K", std::to_string(cpu));
    plant(cpu, 2, "3", "Unified", "32768K", cpu < 2 ? "0-1" : "2-3");
  }
  return read_caches(Tree(tree.root()), {0, 1, 2, 3});
}

CacheShare share(int threads, const std::vector<int>& own, const Lists& all) {
  static const std::vector<Cache> caches = two_caches();
  CHECK(caches.size() == 10);
  return cache_share(caches, threads, own, all);
}

}  // namespace

TEST_CASE("ranks divide the caches that they reach") {
  CHECK(share(1, {0}, {{0}}).last_level == 32 * mib);
  CHECK(share(1, {0}, {{0}}).second_level == 1 * mib);
  CHECK(share(1, {0}, {{0}, {1}, {2}, {3}}).last_level == 16 * mib);
  CHECK(share(1, {0}, {{0}, {1}, {2}, {3}}).second_level == 1 * mib);
  CHECK(share(4, {0, 1, 2, 3}, {{0, 1, 2, 3}}).last_level == 64 * mib);
  CHECK(share(4, {0, 1, 2, 3}, {{0, 1, 2, 3}}).second_level == 4 * mib);
  CHECK(share(4, {0, 1, 2, 3}, {{0, 1, 2, 3}, {0, 1, 2, 3}}).last_level == 32 * mib);
  CHECK(share(2, {1, 2}, {{0}, {1, 2}, {3}}).last_level == 32 * mib);
}

TEST_CASE("a rank that may run anywhere has no more caches than threads, the largest of its shares") {
  CHECK(share(1, {0, 1, 2, 3}, {{0, 1, 2, 3}}).last_level == 32 * mib);
  CHECK(share(1, {0, 1, 2, 3}, {{0, 1, 2, 3}}).second_level == 1 * mib);
  CHECK(share(2, {0, 1, 2, 3}, {{0, 1, 2, 3}}).second_level == 2 * mib);
  CHECK(share(1, {1, 2}, {{0}, {1, 2}}).last_level == 32 * mib);
}

TEST_CASE("the smallest second-level cache that a rank reaches is told whole") {
  std::vector<Cache> caches = two_caches();
  for (Cache& one : caches) {
    if (one.level == 2 && one.cpus.front() == 1) one.bytes = 512 << 10;
  }
  CHECK(cache_share(caches, 1, {0}, {{0}, {0}}).second_cache == 1 * mib);
  CHECK(cache_share(caches, 3, {0, 1, 2}, {{0, 1, 2}}).second_cache == mib / 2);
}

TEST_CASE("a virtual machine has not the whole cache of a socket that it shows") {
  const std::vector<Cache> socket = {{2, "Unified", {0}, 2 << 20, {}, {}},
                                     {2, "Unified", {1}, 2 << 20, {}, {}},
                                     {3, "Unified", {0, 1}, 260 << 20, {}, {}}};
  CHECK(cache_share(socket, 1, {0}, {{0}}).last_level == 64 * mib);
  CHECK(cache_share(socket, 1, {0}, {{0}, {1}}).last_level == 32 * mib);
  CHECK(cache_share(socket, 1, {0}, {{0}}).second_level == 2 * mib);
}

TEST_CASE("where the system tells nothing there is no share") {
  const testing::PlantedTree tree;
  const CacheShare none = cache_share(read_caches(Tree(tree.root()), {0}), 1, {0}, {{0}});
  CHECK(none.second_level == 0);
  CHECK(none.last_level == 0);
  CHECK(none.second_cache == 0);
}
