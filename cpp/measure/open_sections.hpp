// Open sections for tests of code that opens some, outside a running check; and what was counted in them.
#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "base/table.hpp"
#include "measure/page.hpp"
#include "measure/section.hpp"

namespace tenken {

// For tables whose sections are not repeated over a list. One at a time in a process.
class OpenSections {
 public:
  explicit OpenSections(const CheckTable& table)
      : count_(table.sections.size()),
        slots_(count_),
        single_(std::make_unique<bool[]>(count_)),
        page_("", 0, paths(table), 1.0) {
    std::iota(slots_.begin(), slots_.end(), 0);
    page_.reserve(1);
    detail::live = {&page_.header(), page_.row(Page::first_repetition_row), slots_.data(), single_.get()};
  }
  ~OpenSections() { detail::live = {}; }
  OpenSections(const OpenSections&) = delete;
  OpenSections& operator=(const OpenSections&) = delete;

  // What was counted in a section so far, by its place in the table.
  const Cell& cell(std::size_t section) const { return page_.row(Page::first_repetition_row)[section]; }
  // The section that is shown as open, -1 for none.
  int shown() const { return page_.header().section; }
  // Of any work, so far.
  std::int64_t steps() const { return page_.header().steps; }

  // Of all sections together, so far.
  Work work() {
    Work sum;
    for (std::size_t i = 0; i < count_; ++i) {
      const Cell& cell = this->cell(i);
      sum.flop += cell.flop;
      sum.bytes_read += cell.bytes_read;
      sum.bytes_written += cell.bytes_written;
      sum.messages += cell.messages;
    }
    return sum;
  }

  // Whether it was said to count flop in single precision.
  bool single(Leaf section) const { return single_[static_cast<std::size_t>(section.id)]; }

 private:
  static std::vector<std::string> paths(const CheckTable& table) {
    std::vector<std::string> paths;
    for (const SectionSpec& section : table.sections) paths.emplace_back(section.path);
    return paths;
  }

  std::size_t count_;
  std::vector<int> slots_;
  std::unique_ptr<bool[]> single_;
  Page page_;
};

}  // namespace tenken
