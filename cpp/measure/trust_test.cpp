#include "measure/trust.hpp"

#include <doctest/doctest.h>
#include <omp.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "measure/clock.hpp"
#include "testing/plant.hpp"

using namespace tenken;

namespace {

const std::int64_t jiffy_ns = 1'000'000'000 / sysconf(_SC_CLK_TCK);

Placement on(std::vector<int> cpus, std::vector<pid_t> tasks = {}) {
  Placement placement;
  placement.cpus = std::move(cpus);
  placement.tasks = std::move(tasks);
  return placement;
}

TrustSnapshot read(const testing::PlantedTree& tree, const Placement& placement) {
  return trust_now(placement, 1, Tree(tree.root()));
}

}  // namespace

TEST_CASE("steal is the eighth figure of the processor's own line, in units of the system's clock") {
  const testing::PlantedTree tree;
  tree.write("proc/stat",
             "cpu  101 102 103 104 105 106 107 108 109 110\n"
             "cpu0 1 2 3 4 5 6 7 8 9 10\n"
             "cpu1 11 12 13 14 15 16 17 18 19 20\n"
             "cpu10 21 22 23 24 25 26 27 28 29 30\n"
             "cpu2 31 32 33 34\n"
             "intr 9 9 9 9 9 9 9 9 9\n"
             "cpu3 1 1 1 1 1 1 1 1 1 1");
  const auto steal = read(tree, on({1, 10, 0, 2, 3, 7})).steal_ns;
  REQUIRE(steal.size() == 6);
  CHECK(steal[0] == 18 * jiffy_ns);
  CHECK(steal[1] == 28 * jiffy_ns);
  CHECK(steal[2] == 8 * jiffy_ns);
  CHECK(!steal[3]);  // a kernel of before steal
  CHECK(!steal[4]);  // nothing below the processors is read
  CHECK(!steal[5]);
}

TEST_CASE("the wait in the run queue is the second figure of a thread's schedstat") {
  const testing::PlantedTree tree;
  tree.write("proc/self/task/100/schedstat", "5000 700 3");
  tree.write("proc/self/task/101/schedstat", "6000 800 4");
  tree.write("proc/self/task/103/schedstat", "12");
  const auto wait = read(tree, on({0}, {101, 100, 102, 103})).run_queue_wait_ns;
  REQUIRE(wait.size() == 4);
  CHECK(wait[0] == 800);
  CHECK(wait[1] == 700);
  CHECK(!wait[2]);
  CHECK(!wait[3]);
}

TEST_CASE("a quota's time is told in microseconds by version 2 of control groups, in nanoseconds by version 1") {
  const testing::PlantedTree tree;
  CHECK(!read(tree, on({0})).throttled_ns);
  SUBCASE("version 2") {
    tree.write("proc/self/cgroup", "0::/a/b");
    CHECK(!read(tree, on({0})).throttled_ns);
    tree.write("sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nnr_throttled 2\nthrottled_usec 123\nnr_bursts 0");
    CHECK(read(tree, on({0})).throttled_ns == 123'000);
    tree.write("sys/fs/cgroup/a/cpu.stat", "usage_usec 7\nnr_throttled 9\nthrottled_usec 456");
    CHECK(read(tree, on({0})).throttled_ns == 456'000);
    tree.write("sys/fs/cgroup/cpu.stat", "usage_usec 7\nthrottled_usec 4");
    CHECK(read(tree, on({0})).throttled_ns == 456'000);
  }
  SUBCASE("version 1, the controller alone or with others") {
    tree.write("proc/self/cgroup", "broken\n7:cpuacct:/c\n3:cpu,cpuacct:/a\n2:memory:/a");
    tree.write("sys/fs/cgroup/cpuacct/c/cpu.stat", "throttled_time 5");
    tree.write("sys/fs/cgroup/memory/a/cpu.stat", "throttled_time 6");
    tree.write("sys/fs/cgroup/cpu/a/cpu.stat", "nr_throttled 2\nthrottled_time 123");
    CHECK(read(tree, on({0})).throttled_ns == 123);
    tree.write("sys/fs/cgroup/cpu,cpuacct/a/cpu.stat", "nr_throttled 2\nthrottled_time 124");
    CHECK(read(tree, on({0})).throttled_ns == 124);
  }
  SUBCASE("both at once: version 2 has its own folder and no controllers") {
    tree.write("proc/self/cgroup", "1:cpu:/a\n0::/a");
    tree.write("sys/fs/cgroup/a/cpu.stat", "usage_usec 5");
    tree.write("sys/fs/cgroup/cpu/a/cpu.stat", "throttled_time 77");
    CHECK(read(tree, on({0})).throttled_ns == 77);
  }
}

TEST_CASE("what the process itself used lies between two readings around it") {
  const auto usage = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used;
  };
  const auto ns = [](const rusage& used) {
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * std::int64_t{1'000'000'000} +
           (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * std::int64_t{1000};
  };
  const testing::PlantedTree tree;
  const std::int64_t start = monotonic_ns();
  const rusage before = usage();
  const TrustSnapshot now = read(tree, on({0}));
  const rusage after = usage();
  REQUIRE(now.cpu_ns);
  CHECK(*now.cpu_ns >= ns(before));
  CHECK(*now.cpu_ns <= ns(after));
  CHECK(now.involuntary_switches >= before.ru_nivcsw);
  CHECK(now.involuntary_switches <= after.ru_nivcsw);
  CHECK(now.major_faults >= before.ru_majflt);
  CHECK(now.major_faults <= after.ru_majflt);
  CHECK(now.wall_ns >= start);
  CHECK(now.wall_ns <= monotonic_ns());
}

TEST_CASE("threads are seen where they run") {
  cpu_set_t all;
  REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &all)) last = cpu;
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(processors_now(1) == std::vector<int>{last});
  const testing::PlantedTree tree;
  CHECK(trust_now(on({0}), 1, Tree(tree.root())).processors == std::vector<int>{last});
  CHECK(processors_now(3).size() == 3);
  for (const int cpu : processors_now(3)) CHECK(cpu >= 0);
  sched_setaffinity(0, sizeof all, &all);
}

TEST_CASE("the timed part has the differences, of threads and processors the worst") {
  TrustSnapshot begin;
  begin.wall_ns = 1000;
  begin.cpu_ns = 100;
  begin.run_queue_wait_ns = {10, std::nullopt, 30};
  begin.steal_ns = {5, 5};
  begin.throttled_ns = 7;
  begin.involuntary_switches = 20;
  begin.major_faults = 3;
  begin.processors = {4, 5, 6};
  TrustSnapshot end;
  end.wall_ns = 5000;
  end.cpu_ns = 350;
  end.run_queue_wait_ns = {60, 999, 45};
  end.steal_ns = {9, 4};
  end.throttled_ns = 6;  // a counter that was set back is no negative time
  end.involuntary_switches = 26;
  end.major_faults = 5;
  end.processors = {4, 7, 6};
  Placement placement = on({4, 5, 9});
  Trust trust = between(begin, end, placement);
  CHECK(trust.wall_ns == 4000);
  CHECK(trust.cpu_ns == 250);
  CHECK(trust.run_queue_wait_ns == 50);
  CHECK(trust.steal_ns == 4);
  CHECK(trust.throttled_ns == 0);
  CHECK(trust.involuntary_switches == 6);
  CHECK(trust.major_faults == 2);
  CHECK(!trust.migrations);  // threads that are not bound may move
  placement.bound = true;
  CHECK(between(begin, end, placement).migrations == 2);  // one moved, one was elsewhere all the time
  begin.processors = {4, 8, 9};
  end.processors = {4, 5, 9};
  CHECK(between(begin, end, placement).migrations == 1);
  CHECK(between(begin, begin, placement).steal_ns == 0);
  begin.steal_ns = {std::nullopt};
  begin.cpu_ns.reset();
  end.throttled_ns.reset();
  trust = between(begin, end, placement);
  CHECK(!trust.steal_ns);
  CHECK(!trust.cpu_ns);
  CHECK(!trust.throttled_ns);
}
