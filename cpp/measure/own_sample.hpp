// A section whose time the check finds itself, such as from the instant at which all ranks were to start.
#pragma once

#include "measure/section.hpp"

namespace tenken {

#if TENKEN_SECTIONS

// Shown as the open section while it lives, so that a rank that dies in it says where; counts only what is added.
class OwnSample {
 public:
  // `index`: position in the list parameter that the section is repeated over.
  explicit OwnSample(Leaf leaf, int index = 0) noexcept
      : slot_(detail::live.slot[leaf.id] + index), parent_(detail::live.page->section) {
    detail::show_section(slot_);
  }
  ~OwnSample() { detail::show_section(parent_); }
  OwnSample(const OwnSample&) = delete;
  OwnSample& operator=(const OwnSample&) = delete;

  // One call of `ticks` with its work.
  void add(std::int64_t ticks, const Work& work) noexcept {
    Cell& cell = detail::live.row[slot_];
    cell.calls += 1;
    cell.ticks += ticks;
    detail::add_work(slot_, work);
    detail::step();
  }

 private:
  int slot_;
  int parent_;
};

#else

class OwnSample {
 public:
  explicit OwnSample(Leaf, int = 0) noexcept {}
  ~OwnSample() {}
  OwnSample(const OwnSample&) = delete;
  OwnSample& operator=(const OwnSample&) = delete;
  void add(std::int64_t, const Work&) noexcept {}
};

#endif

}  // namespace tenken
