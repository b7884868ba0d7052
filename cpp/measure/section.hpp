// Sections: named, nested, timed regions, opened outside OpenMP regions.
//
//   Section s{section::solve_operator, {.flop = 1320 * sites}};
//
// Cost with the hardware counter: about 25 ns (measured at every start and written into the record).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/table.hpp"
#include "base/work.hpp"
#include "measure/clock.hpp"
#include "measure/page.hpp"

namespace tenken {

class SectionCounters;

namespace detail {

// Where samples go at present. One per process: sections are opened by the master thread only.
struct Live {
  PageHeader* page = nullptr;
  Cell* row = nullptr;
  const int* slot = nullptr;            // first cell of each section of the table
  bool* single = nullptr;               // of each cell: its flop are in single precision
  SectionCounters* counters = nullptr;  // null: nothing is counted
};
extern Live live;

// Only where live.counters is set: readings before and after a sample of a leaf. `before`, which begin_count() returns,
// is what readings took until then; end_count() returns `ticks` without what they took since. Work by value: a
// reference would put it into memory in every section.
std::int64_t begin_count(bool leaf) noexcept;
std::int64_t end_count(bool leaf, int slot, std::int64_t before, std::int64_t ticks, Work work) noexcept;

// Adds what a sample counts beside its ticks to the cell of `slot`.
inline void add_work(int slot, const Work& work) noexcept {
  Cell& cell = live.row[slot];
  cell.flop += work.flop;
  cell.bytes_read += work.bytes_read;
  cell.bytes_written += work.bytes_written;
  cell.messages += work.messages;
  if (work.precision == Work::Precision::single) live.single[slot] = true;
}

inline void step() noexcept {
  const std::atomic_ref<std::int64_t> steps(live.page->steps);
  steps.store(steps.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);  // nobody else writes it
}

inline void show_section(std::int32_t id) noexcept {
  std::atomic_ref<std::int32_t>(live.page->section).store(id, std::memory_order_relaxed);
}

}  // namespace detail

// Tells who watches the launch that work outside of sections goes on: to be called once in each pass of a long search,
// set-up or proof, by the master thread. Every section, repetition and reduction of the check says it already. A launch
// that says nothing for long is called hung when its time is over. Outside of a running check it does nothing.
inline void advanced() noexcept {
  if (detail::live.page != nullptr) detail::step();
}

#if TENKEN_SECTIONS

class Section {
 public:
  explicit Section(Group group) noexcept : Section(detail::live.slot[group.id], Work{}, 1, false) {}
  explicit Section(Leaf leaf, const Work& work = {}) noexcept : Section(detail::live.slot[leaf.id], work, 1, true) {}
  // `index`: position in the list parameter that the section is repeated over. `calls`: how many calls the section
  // stands for, where one is too short to be timed alone; `work` is that of all of them.
  Section(Leaf leaf, int index, const Work& work, int calls = 1) noexcept
      : Section(detail::live.slot[leaf.id] + index, work, calls, true) {}

  ~Section() {
    std::int64_t ticks = ticks_now() - start_;
    if (detail::live.counters != nullptr && reading_ >= 0) [[unlikely]] {
      ticks = detail::end_count(leaf_, slot_, reading_, ticks, work_);
    }
    Cell& cell = detail::live.row[slot_];
    cell.calls += calls_;
    cell.ticks += ticks;
    detail::add_work(slot_, work_);
    detail::step();
    detail::show_section(parent_);
  }

  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  Section(int slot, const Work& work, int calls, bool leaf) noexcept
      : slot_(slot), parent_(detail::live.page->section), calls_(calls), leaf_(leaf), work_(work) {
    detail::show_section(slot);
    if (detail::live.counters != nullptr) [[unlikely]]
      reading_ = detail::begin_count(leaf);
    start_ = ticks_now();
  }

  int slot_;
  int parent_;
  int calls_;
  bool leaf_;
  Work work_;
  std::int64_t reading_ = -1;  // ticks that readings of counters took before it; -1: none were on
  std::int64_t start_ = 0;
};

// A part of a parallel region, timed by its threads themselves with ticks_now(): `ticks` is the mean over the threads,
// `work` that of all of them. Called outside of the region, once for each repetition of it.
inline void add_sample(Leaf leaf, std::int64_t ticks, const Work& work) noexcept {
  const int slot = detail::live.slot[leaf.id];
  Cell& cell = detail::live.row[slot];
  cell.calls += 1;
  cell.ticks += ticks;
  detail::add_work(slot, work);
  detail::step();
}

#else

inline void add_sample(Leaf, std::int64_t, const Work&) noexcept {}

// A build without sections, to measure what they cost.
class Section {
 public:
  explicit Section(Group) noexcept {}
  explicit Section(Leaf, const Work& = {}) noexcept {}
  Section(Leaf, int, const Work&, int = 1) noexcept {}
  ~Section() {}  // not trivial, so that a named section is no unused variable
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;
};

#endif

}  // namespace tenken
