#include "measure/perf_counters.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <string>
#include <vector>

#include "measure/fake_perf.hpp"
#include "testing/plant.hpp"

using namespace tenken;
using tenken::testing::PlantedTree;

namespace {

const std::vector<PerfEvent> four = {{0, 1}, {0, 0}, {0, 2}, {0, 3}};

std::vector<Counted> kinds(const std::vector<CoreEvent>& events) {
  std::vector<Counted> all;
  for (const CoreEvent& one : events) all.push_back(one.what);
  return all;
}

struct Intel : PlantedTree {
  Intel() {
    write("proc/cpuinfo", "vendor_id\t: GenuineIntel");
    write("proc/sys/kernel/perf_event_paranoid", "2");
  }
  Tree tree() const { return Tree(root()); }
};

// Counts what add_times() makes, as a right counter does, or a part of it.
class Loop : public FakePerf {
 public:
  explicit Loop(std::uint64_t instructions) { step = instructions; }
};

// Counters that a thread may read directly: 40 bits wide, so that the kernel has the rest in `offset`.
class DirectPerf : public FakePerf {
 public:
  std::array<std::uint64_t, 4> counts = {(1ULL << 39U) - 5, 20, 30, 40};  // of the processor's counters
  std::uint64_t stamp = 10'000;                                           // 4 a ns
  std::uint64_t wrong = 0;                                                // added to what is read directly
  int system_calls = 0, unmapped = 0;

  const perf_event_mmap_page* map(int descriptor) override {
    const auto place = static_cast<std::uint32_t>(mapped_++);
    perf_event_mmap_page& page = pages_[place];
    page.lock = 8;
    page.index = place + 1;
    page.offset = 1'000'000 * (place + 1);
    page.cap_user_rdpmc = 1;
    page.cap_user_time = 1;
    page.pmc_width = 40;
    page.time_mult = 1U << 8U;
    page.time_shift = 10;
    page.time_enabled = 700;
    page.time_running = 600;  // a part was missed before the first reading
    return descriptor < 0 ? nullptr : &page;
  }
  void unmap(const perf_event_mmap_page*) override { ++unmapped; }
  std::uint64_t counter(std::uint32_t number) override { return (counts.at(number) + wrong) & ((1ULL << 40U) - 1); }
  std::uint64_t time_stamp() override { return stamp; }
  long read(int, std::span<std::uint64_t> words) override {
    ++system_calls;
    words[0] = words.size() - 3;
    words[1] = 700 + stamp / 4;
    words[2] = 600 + stamp / 4;
    for (std::size_t k = 0; k + 3 < words.size(); ++k) words[3 + k] = pages_.at(k).offset + signed_count(k);
    return static_cast<long>(words.size());
  }
  void hide() { pages_[2].index = 0; }

 private:
  std::uint64_t signed_count(std::size_t k) const {
    const std::uint64_t sign = 1ULL << 39U;
    return (counts.at(k) ^ sign) - sign;  // modulo 2^64
  }

  std::array<perf_event_mmap_page, 4> pages_{};
  int mapped_ = 0;
};

}  // namespace

TEST_CASE("a thread reads its counters without a system call, with the kernel's part and the sign of the counter") {
  DirectPerf fake;
  {
    const CounterGroup group(fake, four, {});
    REQUIRE(group.reads_directly());
    fake.system_calls = 0;
    const GroupReading before = group.read();
    CHECK(before.counts[1] == 2'000'020);
    CHECK(before.enabled_ns == 700 + 2500);
    CHECK(before.running_ns == 600 + 2500);
    fake.counts = {(1ULL << 39U) - 1, 120, 230, 340};
    fake.stamp += 4 * 1'000'003;
    const auto counted = counted_between(before, group.read());
    REQUIRE(counted);
    CHECK(counted->counts == std::array<std::uint64_t, 4>{4, 100, 200, 300});
    CHECK(counted->enabled_ns == 1'000'003);
    CHECK(fake.system_calls == 0);
    fake.counts[3] = (1ULL << 40U) - 60;  // below zero: the kernel has set it before an overflow
    CHECK(group.read().counts[3] == 4'000'000 - 60);
    fake.hide();  // the group lost its counters: the kernel is asked
    CHECK(group.read().whole);
    CHECK(fake.system_calls == 1);
  }
  CHECK(fake.unmapped == 4);
}

TEST_CASE("a direct reading that is not between two of the kernel is never used, nor one of another task") {
  DirectPerf wrong;
  wrong.wrong = 1;
  const CounterGroup group(wrong, four, {});
  CHECK_FALSE(group.reads_directly());
  CHECK(wrong.unmapped == 4);
  CHECK(group.read().counts[1] == 2'000'020);
  DirectPerf other;
  CHECK_FALSE(CounterGroup(other, four, {.task = 7}).reads_directly());
  CHECK(other.system_calls == 0);
}

TEST_CASE("a group is read at once, pinned, in user code alone") {
  FakePerf fake;
  {
    const CounterGroup group(fake, four, {.task = 41});
    REQUIRE(group.error() == 0);
    REQUIRE(fake.opened.size() == 4);
    for (const FakePerf::Opened& one : fake.opened) {
      CHECK(bool{one.attributes.exclude_kernel == 1});
      CHECK(bool{one.attributes.exclude_hv == 1});
      CHECK(bool{one.attributes.inherit == 0});
      CHECK(bool{one.attributes.disabled == 0});
      CHECK(one.task == 41);
      CHECK(one.cpu == -1);
    }
    CHECK(bool{fake.opened[0].attributes.pinned == 1});
    CHECK(bool{fake.opened[1].attributes.pinned == 0});
    CHECK(fake.opened[0].leader == -1);
    CHECK(fake.opened[3].leader == 3);
    const GroupReading before = group.read();
    const auto counted = counted_between(before, group.read());
    REQUIRE(counted);
    CHECK(fake.reads == 2);  // one system call a reading, whatever the number of events
    CHECK(counted->counts == std::array<std::uint64_t, 4>{1000, 2000, 3000, 4000});
    CHECK(counted->enabled_ns == 500);
  }
  CHECK(fake.still_open() == 0);
}

TEST_CASE("a count that was not on all the time is dropped, never scaled") {
  FakePerf fake;
  const CounterGroup group(fake, four, {});
  fake.missed_ns = 1;
  const GroupReading before = group.read();
  CHECK_FALSE(counted_between(before, group.read()));
}

TEST_CASE("a pinned group without a place on the counters has no reading") {
  FakePerf fake;
  const CounterGroup group(fake, four, {});
  const GroupReading whole = group.read();
  fake.no_place = true;
  CHECK_FALSE(group.read().whole);
  CHECK_FALSE(counted_between(whole, group.read()));
  CHECK_FALSE(counted_between(group.read(), whole));
}

TEST_CASE("a group that is half opened is closed, and has no reading") {
  FakePerf fake;
  fake.lacks = {{0, 2}};
  {
    const CounterGroup group(fake, four, {});
    CHECK(group.error() == ENOENT);
    CHECK(group.refused() == 2);
    CHECK_FALSE(group.read().whole);
    CHECK(fake.reads == 0);
  }
  CHECK(fake.still_open() == 0);
}

TEST_CASE("events that are missing or find no room are left out; instructions and cycles never") {
  const Intel planted;
  const std::vector<CoreEvent> wished = core_events(planted.tree());
  FakePerf fake;
  CHECK(kinds(offered_events(fake, wished).events) == kinds(wished));
  fake.room = 3;
  CHECK(kinds(offered_events(fake, wished).events) ==
        std::vector{Counted::instructions, Counted::cycles, Counted::l2_misses});
  fake.room = 8;
  fake.lacks = {{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES}};
  CHECK(kinds(offered_events(fake, wished).events) ==
        std::vector{Counted::instructions, Counted::cycles, Counted::last_level_misses});
  fake.lacks = {{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}};
  CHECK(offered_events(fake, wished).error == ENOENT);
  CHECK(fake.still_open() == 0);
}

TEST_CASE("misses of L2 and of the last level are the kernel's events of each vendor") {
  const auto config = [](const std::vector<CoreEvent>& events, std::size_t at) { return events.at(at).event.config; };
  const Intel planted;
  CHECK(config(core_events(planted.tree()), 2) == PERF_COUNT_HW_CACHE_REFERENCES);
  CHECK(config(core_events(planted.tree()), 3) == PERF_COUNT_HW_CACHE_MISSES);
  planted.write("proc/cpuinfo", "vendor_id\t: AuthenticAMD");
  const auto zen = core_events(planted.tree());
  REQUIRE(zen.size() == 3);  // its last level is no counter of a thread
  CHECK(zen[2].what == Counted::l2_misses);
  CHECK(config(zen, 2) == PERF_COUNT_HW_CACHE_MISSES);
  planted.write("proc/cpuinfo", "CPU implementer\t: 0x41");
  CHECK(core_events(planted.tree()).size() == 2);
  const std::string arm = "sys/bus/event_source/devices/armv8_pmuv3_0/";
  planted.write(arm + "type", "8");
  planted.write(arm + "format/event", "config:0-15");
  planted.write(arm + "events/l2d_cache_refill", "event=0x0017");
  const auto neoverse = core_events(planted.tree());
  REQUIRE(neoverse.size() == 3);
  CHECK(neoverse[2].what == Counted::l2_misses);
  CHECK(neoverse[2].event.type == 8);
  CHECK(neoverse[2].event.config == 0x17);
}

TEST_CASE("named events are put together by the bits of their format") {
  const PlantedTree planted;
  const std::string imc = "sys/bus/event_source/devices/uncore_imc_0/";
  planted.write(imc + "type", "14");
  planted.write(imc + "format/event", "config:0-7");
  planted.write(imc + "format/umask", "config:8-15");
  planted.write(imc + "format/split", "config:0-3,32-35");
  planted.write(imc + "format/other", "config1:0-7");
  planted.write(imc + "events/read", "event=0x04,umask=0x03");
  planted.write(imc + "events/wide", "split=0xab");
  planted.write(imc + "events/large", "event=0x104");
  planted.write(imc + "events/unknown", "event=0x04,edge=1");
  planted.write(imc + "events/elsewhere", "other=1");
  const Tree tree(planted.root());
  const auto read = named_event(tree, "uncore_imc_0", "read");
  REQUIRE(read);
  CHECK(read->type == 14);
  CHECK(read->config == 0x304);
  CHECK(named_event(tree, "uncore_imc_0", "wide")->config == 0xa0000000bULL);
  for (const char* name : {"large", "unknown", "elsewhere", "absent"}) {
    CHECK_FALSE(named_event(tree, "uncore_imc_0", name));
  }
}

TEST_CASE("refusals name the file and its number, or why else nothing is counted") {
  const Intel planted;
  const auto sentence = [&](int error) { return refusal_of(error, planted.tree()); };
  planted.write("proc/sys/kernel/perf_event_paranoid", "4");
  CHECK(sentence(EACCES) == "not permitted: /proc/sys/kernel/perf_event_paranoid says 4");
  CHECK(sentence(EPERM) == sentence(EACCES));
  planted.write("proc/sys/kernel/perf_event_paranoid", "1");
  CHECK(sentence(EPERM) ==
        "not permitted: /proc/sys/kernel/perf_event_paranoid says 1, and a container or a security module refuses "
        "perf_event_open");
  CHECK(sentence(ENOENT).starts_with("not offered: no counter of instructions;"));
  CHECK(sentence(ENOSYS).starts_with("not offered: this kernel"));
  CHECK(sentence(EMFILE).find("ulimit -n") != std::string::npos);
  CHECK(sentence(E2BIG).find("Argument list too long") != std::string::npos);
  CHECK(refusal_of(EACCES, Tree("/no/such")).find("cannot be read") != std::string::npos);
}

TEST_CASE("the trial of counters: denied, missing, zero, multiplexed, wrong and right") {
  const Intel planted;
  const Tree tree = planted.tree();
  const std::int64_t expected = add_times(1'000'000);
  Loop denied(1000);
  denied.error = EACCES;
  CHECK(trial_of_counters(denied, tree).starts_with("not permitted: "));
  Loop missing(1000);
  missing.error = ENOENT;
  CHECK(trial_of_counters(missing, tree).starts_with("not offered: "));
  Loop zero(0);
  CHECK(trial_of_counters(zero, tree).find("counter of instructions is 0 after 1000000 additions") !=
        std::string::npos);
  Loop shared(static_cast<std::uint64_t>(expected));
  shared.missed_ns = 100;
  CHECK(trial_of_counters(shared, tree).find("not scheduled all the time") != std::string::npos);
  Loop right(static_cast<std::uint64_t>(expected));
  if (expected == 0) right.step = 1'000'000;
  CHECK(trial_of_counters(right, tree) == "");
  if (expected == 0) return;  // no loop of known length on this processor
  Loop wrong(static_cast<std::uint64_t>(expected + expected / 50));
  CHECK(trial_of_counters(wrong, tree).find("a loop of 1200000 instructions is counted as 1224000") !=
        std::string::npos);
}

TEST_CASE("the system that runs this test counts, or says why not") {
  const std::string sentence = trial_of_counters(perf_system(), Tree("/"));
  if (!sentence.empty()) CHECK(sentence.starts_with("not "));
}
