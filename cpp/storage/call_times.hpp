// Late calls of a rank: their number, and the longest call with its place. A call may be an operation on a whole file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenken::storage {

// A late call takes ten times the median call of its pass and 20 ms. The second limit is longer than a seek and a turn
// of a disk with 7,200 rpm (9 ms and 8.3 ms): calls that wait for a disk beside calls that a cache answers are no
// fault.
constexpr double late_factor = 10, least_late_ns = 2e7;

// Of the timed passes of one rank.
struct LateCalls {
  double calls = 0, late = 0;
  double longest_ns = 0;
  std::int64_t longest_at = 0;  // place of that call, as added: an offset, or the number of a file
};

class CallTimes {
 public:
  explicit CallTimes(std::int64_t calls) { ns_.reserve(static_cast<std::size_t>(std::min(calls, most))); }

  void add(double ns, std::int64_t at) {
    if (static_cast<std::int64_t>(ns_.size()) < most) ns_.push_back({static_cast<float>(ns), at});
  }
  // Ends a pass; the calls of a pass that does not count are dropped.
  void end_pass(bool counts) {
    if (counts && !ns_.empty()) count();
    ns_.clear();
  }
  const LateCalls& late() const { return late_; }

 private:
  static constexpr std::int64_t most = std::int64_t{1} << 20;  // calls of a pass that are stored
  struct Call {
    float ns;
    std::int64_t at;
  };

  void count() {
    std::vector<float> sorted;
    for (const Call& call : ns_) sorted.push_back(call.ns);
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double limit = std::max(late_factor * *middle, least_late_ns);
    for (const Call& call : ns_) {
      late_.calls += 1;
      late_.late += call.ns > limit ? 1 : 0;
      if (call.ns <= late_.longest_ns) continue;
      late_.longest_ns = call.ns;
      late_.longest_at = call.at;
    }
  }

  std::vector<Call> ns_;
  LateCalls late_;
};

}  // namespace tenken::storage
