#include "measure/section_counters.hpp"

#include <doctest/doctest.h>
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "measure/fake_perf.hpp"
#include "measure/open_sections.hpp"
#include "testing/plant.hpp"

#if TENKEN_SECTIONS

using namespace tenken;
using tenken::testing::PlantedTree;

namespace {

constexpr Work some = {.flop = 10, .bytes_read = 20, .bytes_written = 30};
constexpr std::array<SectionSpec, 3> sections = {
    {{"whole", Kind::compute, false, ""}, {"whole/a", Kind::compute, true, ""}, {"whole/b", Kind::compute, true, ""}}};
constexpr Group whole{0};
constexpr Leaf a{1}, b{2};

CheckTable made_table() {
  CheckTable table{};
  table.sections = sections;
  return table;
}

// An Intel node whose kernel names two memory controllers, each of two sockets.
struct Node : PlantedTree {
  Node() {
    write("proc/cpuinfo", "vendor_id\t: GenuineIntel");
    write("proc/sys/kernel/perf_event_paranoid", "2");
  }
  void name_memory() const {
    for (const char* device : {"uncore_imc_0", "uncore_imc_1"}) {
      const std::string at = std::string("sys/bus/event_source/devices/") + device + "/";
      write(at + "type", "14");
      write(at + "cpumask", "0,8");
      write(at + "format/event", "config:0-7");
      write(at + "format/umask", "config:8-15");
      for (const std::string name : {"cas_count_read", "cas_count_write"}) {
        write(at + "events/" + name, name == "cas_count_read" ? "event=0x04,umask=0x03" : "event=0x04,umask=0x0c");
        write(at + "events/" + name + ".scale", "6.103515625e-5");
        write(at + "events/" + name + ".unit", "MiB");
      }
    }
  }
  Tree tree() const { return Tree(root()); }
};

using Idle = SectionCounters::Idle;

// Counted samples of an OpenSections, as in a launch.
struct Counting {
  Counting(FakePerf& fake, const Node& node, int threads, bool memory = false, Idle idle = Idle::awake)
      : counters(fake, node.tree(), threads, sections.size(), memory, idle) {
    if (counters.problem().empty()) detail::live.counters = &counters;
  }
  ~Counting() { detail::live.counters = nullptr; }
  const CountedSection& of(Leaf leaf) const { return counters.sections()[static_cast<std::size_t>(leaf.id)]; }

  OpenSections open{made_table()};
  SectionCounters counters;
};

std::int64_t groups_of(const FakePerf& fake) {
  return std::count_if(fake.opened.begin(), fake.opened.end(), [](const auto& one) { return one.leader < 0; }) - 1;
}

constexpr auto at = [](Counted what) { return static_cast<std::size_t>(what); };

}  // namespace

TEST_CASE("leaves are counted, each sample by one group a thread, with its work") {
  for (const int threads : {1, 2, 3}) {
    const Node node;
    FakePerf fake;
    const Counting counting(fake, node, threads);
    REQUIRE(counting.counters.problem() == "");
    const std::int64_t groups = groups_of(fake);  // without the group of the trial which events are offered
    REQUIRE(groups >= threads);
    {
      Section outer{whole};
      { Section s{a, some}; }
      { Section s{a, some}; }
      { Section s{b}; }
    }
    CHECK(fake.reads == 3 * 2 * groups);
    CHECK(counting.of(a).samples == 2);
    CHECK(counting.of(a).dropped == 0);
    CHECK(counting.of(a).counts[at(Counted::instructions)] == 2 * groups * 1000);
    CHECK(counting.of(a).counts[at(Counted::last_level_misses)] == 2 * groups * 4000);
    CHECK(counting.of(a).processor_ns == 2 * groups * 500);
    CHECK(counting.of(a).flop == 20);
    CHECK(counting.of(a).bytes_read == 40);
    CHECK(counting.of(a).bytes_written == 60);
    CHECK(counting.of(a).ticks == counting.open.cell(1).ticks);
    CHECK(counting.of(b).counts[at(Counted::cycles)] == groups * 2000);
    CHECK(counting.counters.sections()[0].samples == 0);  // a group of sections is no sample
    CHECK(counting.counters.late_threads() == 0);
  }
}

TEST_CASE("threads that sleep between regions are not woken: one thread asks for all counts") {
  struct Asked : FakePerf {
    std::set<std::thread::id> readers;
    std::mutex mutex;
    long read(int descriptor, std::span<std::uint64_t> words) override {
      {
        const std::lock_guard lock(mutex);
        readers.insert(std::this_thread::get_id());
      }
      return FakePerf::read(descriptor, words);
    }
  };
  for (const bool asleep : {true, false}) {
    const Node node;
    Asked fake;
    const Counting counting(fake, node, 3, false, asleep ? Idle::asleep : Idle::awake);
    { Section s{a, some}; }
    CHECK(fake.readers.size() == (asleep ? 1 : 3));
    CHECK(counting.of(a).samples == 1);
    CHECK(counting.of(a).counts[0] == groups_of(fake) * 1000);
  }
}

TEST_CASE("no section's time holds a reading") {
  struct Slow : FakePerf {
    long read(int descriptor, std::span<std::uint64_t> words) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return FakePerf::read(descriptor, words);
    }
  };
  const Node node;
  Slow slow;
  const Counting counting(slow, node, 2);
  const std::int64_t start = ticks_now();
  {
    Section outer{whole};
    { Section s{a}; }
    { Section s{b}; }
  }
  const std::int64_t left = ticks_now() - start - counting.counters.reading_ticks();
  CHECK(counting.counters.reading_ticks() > 0);
  CHECK(counting.open.cell(0).ticks <= left);
  CHECK(counting.open.cell(1).ticks + counting.open.cell(2).ticks <= counting.open.cell(0).ticks);
}

TEST_CASE("nothing is read where counters are off") {
  FakePerf fake;
  const OpenSections open(made_table());
  { Section s{a, some}; }
  CHECK(fake.reads == 0);
  CHECK(open.cell(1).calls == 1);
}

TEST_CASE("a sample whose group was off the counters for a part of the time is dropped, its time with it") {
  const Node node;
  FakePerf fake;
  const Counting counting(fake, node, 2);
  { Section s{a, some}; }
  fake.missed_ns = 1;
  { Section s{a, some}; }
  fake.missed_ns = 0;
  fake.no_place = true;
  { Section s{a, some}; }
  CHECK(counting.of(a).samples == 1);
  CHECK(counting.of(a).dropped == 2);
  CHECK(counting.of(a).flop == 10);
  CHECK(counting.of(a).ticks < counting.open.cell(1).ticks);
  CHECK(counting.open.cell(1).calls == 3);
}

TEST_CASE("a sample around another sample is dropped: its first reading is overwritten") {
  const Node node;
  FakePerf fake;
  const Counting counting(fake, node, 1);
  {
    Section outer{a, some};
    { Section inner{b, some}; }
  }
  CHECK(counting.of(a).dropped == 1);
  CHECK(counting.of(a).samples == 0);
  CHECK(counting.of(b).samples == 1);
  { Section s{a, some}; }
  CHECK(counting.of(a).samples == 1);
}

TEST_CASE("a sample of a thread that OpenMP has started anew is dropped") {
  const Node node;
  FakePerf fake;
  const Counting counting(fake, node, 3);
  const auto third = [] {
    pid_t task = 0;
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 2) task = static_cast<pid_t>(syscall(SYS_gettid));
    return task;
  };
  const pid_t before = third();
  int there = 0;
#pragma omp parallel num_threads(2) reduction(+ : there)
  there += 1;  // libgomp ends the third thread here
  CHECK(there == 2);
  { Section s{a}; }
  CHECK(counting.of(a).dropped == (third() == before ? 0 : 1));
  CHECK(counting.of(a).samples == 1 - counting.of(a).dropped);
}

TEST_CASE("threads of a library are counted, and those that start later are named") {
  std::mutex mutex;
  std::condition_variable ended;
  bool end = false;
  const auto wait = [&] {
    std::unique_lock lock(mutex);
    ended.wait(lock, [&] { return end; });
  };
  const Node node;
  FakePerf fake;
  std::thread library(wait);
  {
    const Counting counting(fake, node, 1);
    const bool opened =
        std::any_of(fake.opened.begin(), fake.opened.end(), [](const auto& one) { return one.task > 0; });
    CHECK(opened);
    { Section s{a}; }
    CHECK(counting.of(a).counts[0] == groups_of(fake) * 1000);
    CHECK(groups_of(fake) >= 2);
    std::thread late(wait);
    CHECK(counting.counters.late_threads() == 1);
    {
      const std::lock_guard lock(mutex);
      end = true;
    }
    ended.notify_all();
    late.join();
    library.join();
  }
  CHECK(fake.still_open() == 0);
}

TEST_CASE("a refusal is a sentence, and samples go on without counts") {
  const Node node;
  FakePerf fake;
  fake.error = EACCES;
  node.write("proc/sys/kernel/perf_event_paranoid", "3");
  const Counting counting(fake, node, 2, true);
  CHECK(counting.counters.problem() == "not permitted: /proc/sys/kernel/perf_event_paranoid says 3");
  CHECK(counting.counters.memory_problem() == "");  // once in the record
  { Section s{a, some}; }
  CHECK(counting.open.cell(1).calls == 1);
  CHECK(counting.of(a).samples == 0);
  FakePerf few;
  few.most_open = 6;  // of a trial, and of one thread and a half
  const SectionCounters limited(few, node.tree(), 2, sections.size(), false);
  CHECK(limited.problem().find("ulimit -n") != std::string::npos);
  CHECK(few.still_open() == 0);
}

TEST_CASE("bytes of memory are those of all controllers and sockets, by the kernel's scale") {
  const Node node;
  node.name_memory();
  FakePerf fake;
  const Counting counting(fake, node, 1, true);
  REQUIRE(counting.counters.memory_problem() == "");
  REQUIRE(counting.counters.counts_memory());
  std::vector<FakePerf::Opened> devices;
  for (const FakePerf::Opened& one : fake.opened) {
    if (one.attributes.type == 14) devices.push_back(one);
  }
  REQUIRE(devices.size() == 2 * 2 * 2);
  CHECK(devices[0].cpu == 0);
  CHECK(devices[2].cpu == 8);
  CHECK(devices[0].task == -1);
  CHECK(bool{devices[0].attributes.exclude_kernel == 0});
  CHECK(devices[0].attributes.config == 0x304);
  CHECK(devices[1].attributes.config == 0xc04);
  { Section s{a, some}; }
  CHECK(counting.of(a).memory_samples == 1);
  CHECK(counting.of(a).memory_read == 4 * 1000 * 64);
  CHECK(counting.of(a).memory_written == 4 * 2000 * 64);
}

TEST_CASE("memory that is not named, has no known unit or is denied is a sentence of its own; threads are counted") {
  const Node node;
  FakePerf fake;
  CHECK(SectionCounters(fake, node.tree(), 1, 3, true).memory_problem().starts_with("not named: "));
  node.name_memory();
  struct Denying : FakePerf {
    int open(const perf_event_attr& attributes, pid_t task, int cpu, int leader) override {
      return task < 0 ? -EACCES : FakePerf::open(attributes, task, cpu, leader);
    }
  };
  Denying denying;
  const SectionCounters denied(denying, node.tree(), 1, 3, true);
  CHECK(denied.problem() == "");
  CHECK(denied.memory_problem().starts_with("not permitted: /proc/sys/kernel/perf_event_paranoid says 2"));
  CHECK_FALSE(denied.counts_memory());
  for (const char* device : {"uncore_imc_0", "uncore_imc_1"}) {
    node.write(std::string("sys/bus/event_source/devices/") + device + "/events/cas_count_read.unit", "furlong");
  }
  CHECK(SectionCounters(fake, node.tree(), 1, 3, true).memory_problem().starts_with("not named: "));
}

#endif
