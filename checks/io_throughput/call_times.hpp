// How long the calls of one rank took, and which were late.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace io_throughput {

// A call is late that took so many times the median call of its pass, and at least so many ns.
constexpr double late_factor = 10, least_late_ns = 1e5;

// Of the timed passes of one rank.
struct LateCalls {
  double calls = 0, late = 0;
  double ns = 0, late_ns = 0;
  double longest_ns = 0;
  std::int64_t longest_at = 0;  // bytes from the beginning of the file
};

class CallTimes {
 public:
  explicit CallTimes(std::int64_t calls) { ns_.reserve(static_cast<std::size_t>(std::min(calls, most))); }

  void add(double ns, std::int64_t at) {
    if (static_cast<std::int64_t>(ns_.size()) < most) ns_.push_back({static_cast<float>(ns), at});
  }
  // Ends a pass; one that does not count is forgotten.
  void end_pass(bool counts) {
    if (counts && !ns_.empty()) count();
    ns_.clear();
  }
  const LateCalls& late() const { return late_; }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 20;  // calls of a pass that are remembered
  struct Call {
    float ns;
    std::int64_t at;
  };

  void count() {
    std::vector<float> sorted;
    for (const Call& one : ns_) sorted.push_back(one.ns);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double limit = std::max(late_factor * *middle, least_late_ns);
    for (const Call& one : ns_) {
      late_.calls += 1;
      late_.ns += one.ns;
      if (one.ns > late_.longest_ns) {
        late_.longest_ns = one.ns;
        late_.longest_at = one.at;
      }
      if (one.ns <= limit) continue;
      late_.late += 1;
      late_.late_ns += one.ns;
    }
  }

  std::vector<Call> ns_;
  LateCalls late_;
};

}  // namespace io_throughput
