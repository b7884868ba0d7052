// Counters of the processor by perf_event_open(2): groups of events that are read together. In user code alone; counts
// are events, times are ns of the kernel's clock.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tree.hpp"

namespace tenken {

// The system calls behind the counters; tests put a fake in their place.
class PerfSystem {
 public:
  virtual ~PerfSystem() = default;
  // A descriptor, or -errno. `task`: 0 is the calling thread, -1 every task of `cpu`. `leader`: -1 opens a group.
  virtual int open(const perf_event_attr& attributes, pid_t task, int cpu, int leader) = 0;
  // Number of words read, or -errno.
  virtual long read(int descriptor, std::span<std::uint64_t> words) = 0;
  virtual void close(int descriptor) = 0;
  // What the kernel shows of an event of the calling thread, for readings without a system call; null where it cannot.
  virtual const perf_event_mmap_page* map(int) { return nullptr; }
  virtual void unmap(const perf_event_mmap_page*) {}
  virtual std::uint64_t counter(std::uint32_t) { return 0; }  // the counter of this number, on this processor
  virtual std::uint64_t time_stamp() { return 0; }            // of which the page has the scale
};
PerfSystem& perf_system();

struct PerfEvent {
  std::uint32_t type;
  std::uint64_t config;
};

// What is counted of a thread. Misses are lines; what prefetchers ask for is among them as the processor counts it.
enum class Counted { instructions, cycles, l2_misses, last_level_misses };
constexpr std::size_t counted_events = 4;
std::string_view name_of(Counted what);

struct CoreEvent {
  Counted what;
  PerfEvent event;
};

// The events of a thread that the kernel offers on this processor, instructions and cycles first. The kernel's generic
// cache events differ: on Intel they are references to the last level (misses of L2) and its misses (SDM volume 3,
// architectural events 2EH); on AMD Zen "cache-misses" are misses of L2 (arch/x86/events/amd/core.c); on Arm the names
// l2d_cache_refill and ll_cache_miss_rd below /sys/bus/event_source are used. Others: instructions and cycles alone.
std::vector<CoreEvent> core_events(const Tree& tree);

// An event that the kernel names: /sys/bus/event_source/devices/DEVICE/events/NAME, by the bits of DEVICE/format.
std::optional<PerfEvent> named_event(const Tree& tree, std::string_view device, std::string_view name);

struct GroupReading {
  bool whole = false;  // all events were read
  std::uint64_t enabled_ns = 0;
  std::uint64_t running_ns = 0;
  std::array<std::uint64_t, counted_events> counts{};  // in the order of the group's events
};

// Counts and times from one reading to the next. Empty where a reading is not whole, or where the group was off the
// counters for a part of the time: a scaled count is a guess.
std::optional<GroupReading> counted_between(const GroupReading& before, const GroupReading& after);

// Events that are on the counters together or not at all, pinned: never multiplexed. Of one task on any processor, or,
// for a device shared by all tasks, of one processor.
class CounterGroup {
 public:
  struct Target {
    pid_t task = 0;
    int cpu = -1;
    bool user_code_alone = true;  // devices that count for all tasks know no modes
  };

  CounterGroup(PerfSystem& system, std::span<const PerfEvent> events, Target target);
  ~CounterGroup();
  CounterGroup(CounterGroup&& other) noexcept;
  CounterGroup(const CounterGroup&) = delete;
  CounterGroup& operator=(const CounterGroup&) = delete;
  CounterGroup& operator=(CounterGroup&&) = delete;

  int error() const { return error_; }  // errno of the first event that could not be opened; 0: all are open
  std::size_t refused() const { return descriptors_.size(); }  // where error(): its place among the events

  // One system call, or none: the thread that opened the group for itself reads the counters directly where the
  // kernel permits it. At its opening such a reading was found between two readings by the kernel.
  GroupReading read() const noexcept;
  GroupReading read_by_system() const noexcept;  // by any thread
  bool reads_directly() const { return !pages_.empty(); }

 private:
  void map();
  GroupReading directly() const noexcept;

  PerfSystem* system_;
  std::vector<int> descriptors_;                    // the leader first
  std::vector<const perf_event_mmap_page*> pages_;  // of each, where all can be read directly
  int error_ = 0;
};

// Of the wished events those that this processor counts together for `task`. An event that is missing or does not fit
// beside the others is left out; instructions and cycles are never left out: then `error` is their errno.
struct OfferedEvents {
  std::vector<CoreEvent> events;
  int error = 0;
};
OfferedEvents offered_events(PerfSystem& system, std::span<const CoreEvent> wished);

// The sentence for an errno of perf_event_open: "not permitted: FILE says N", "not offered: ..." or "not counted: ...".
std::string refusal_of(int error, const Tree& tree);

// Adds `additions` times (rounded up to tens) in a loop of known length; the instructions that this takes, with 0.1 %
// for the call. 0 on a processor for which the loop is not written.
std::int64_t add_times(std::int64_t additions);

// Whether counters count on the calling thread: empty where a loop of known length is counted within 1 %, else the
// sentence why not.
std::string trial_of_counters(PerfSystem& system, const Tree& tree);

}  // namespace tenken
