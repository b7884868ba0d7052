// Counters around every leaf section: a group a thread, read before and after a sample and never within it, so that the
// time of a sample holds no reading. What the readings take is left out of the sections around them as well.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/work.hpp"
#include "measure/memory_counters.hpp"
#include "measure/perf_counters.hpp"

namespace tenken {

// Sums over the samples of one section that were counted.
struct CountedSection {
  std::int64_t samples = 0;
  // Samples with a group that was not on the counters all the time, with a new thread, or around another sample.
  std::int64_t dropped = 0;
  std::int64_t ticks = 0;         // of the clock of the sections; the rest is of the samples that were not dropped
  std::int64_t processor_ns = 0;  // that the threads together had a processor
  std::array<std::int64_t, counted_events> counts{};         // by Counted; of all threads
  std::int64_t flop = 0, bytes_read = 0, bytes_written = 0;  // stated work
  std::int64_t memory_samples = 0;                           // of the samples: where memory was counted
  double memory_read = 0, memory_written = 0;                // bytes in these, of all programs on the node
};

class SectionCounters {
 public:
  // Where OpenMP threads sleep between parallel regions, nobody wakes them: the thread that opens sections asks the
  // kernel for their counts. Else each thread reads its group in a parallel region: the kernel would have to interrupt
  // its processor.
  enum class Idle { asleep, awake };
  static Idle idle_by_policy();  // by OMP_WAIT_POLICY

  // Opens a group for each of `threads` OpenMP threads, and for every other thread of this process that is there now,
  // such as those of a BLAS. `cells`: sections of the page. `memory`: whether this rank counts the node's memory.
  // Outside of a parallel region.
  SectionCounters(PerfSystem& system, const Tree& tree, int threads, std::size_t cells, bool memory,
                  Idle idle = idle_by_policy());
  ~SectionCounters();
  SectionCounters(const SectionCounters&) = delete;
  SectionCounters& operator=(const SectionCounters&) = delete;

  const std::string& problem() const { return problem_; }  // why nothing is counted; empty where something is
  const std::string& memory_problem() const { return memory_problem_; }  // the same of memory; empty, too, if not asked
  bool counts(Counted what) const;
  bool counts_memory() const { return memory_ != nullptr; }
  std::int64_t line_bytes() const { return line_bytes_; }  // that a miss brings
  int late_threads() const;                                // that have started since: they are not counted
  const std::vector<CountedSection>& sections() const { return sections_; }

  // Around a sample of the section in `slot`, by the thread that opens sections.
  void begin() noexcept;
  void end(int slot, std::int64_t ticks, const Work& work) noexcept;

  // What the readings took so far, in ticks.
  std::int64_t reading_ticks() const noexcept { return reading_ticks_; }

 private:
  struct alignas(64) Thread {
    std::optional<CounterGroup> group;
    pid_t task = 0;
    GroupReading before{}, after{};
  };

  void open(PerfSystem& system, const Tree& tree);
  void read(GroupReading Thread::*into) noexcept;
  void read_other(GroupReading Thread::*into) noexcept;
  bool add_counts(CountedSection& section) const noexcept;

  std::vector<CoreEvent> events_;
  std::vector<PerfEvent> plain_;
  std::unique_ptr<Thread[]> team_;
  int threads_;
  Idle idle_;
  std::vector<Thread> others_;
  std::unique_ptr<MemoryCounters> memory_;
  std::vector<CountedSection> sections_;
  std::string problem_, memory_problem_;
  int samples_open_ = 0;
  bool read_again_ = false;  // by a sample inside the outer sample
  std::int64_t line_bytes_ = 64;
  std::int64_t reading_ticks_ = 0;
};

}  // namespace tenken
