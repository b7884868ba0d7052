// Late operations of a rank in one phase: their number, and the longest operation with its file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace metadata {

// A late operation takes ten times the median operation of its pass and 20 ms. The second limit is longer than a seek
// and a turn of a disk with 7,200 rpm (9 ms and 8.3 ms).
constexpr double late_factor = 10, least_late_ns = 2e7;

class LateOperations {
 public:
  void reserve(int files) { ns_.reserve(static_cast<std::size_t>(files)); }  // no allocation while a clock runs
  void add(double ns) { ns_.push_back(static_cast<float>(ns)); }
  // Ends a pass, whose operations were those on file 0, 1, …; an untimed pass is dropped.
  void end_pass(bool counts) {
    if (counts && !ns_.empty()) count();
    ns_.clear();
  }
  double operations() const { return operations_; }
  double late() const { return late_; }
  double longest_ns() const { return longest_ns_; }
  int longest_file() const { return longest_file_; }

 private:
  void count() {
    std::vector<float> sorted = ns_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double limit = std::max(late_factor * *middle, least_late_ns);
    for (std::size_t i = 0; i < ns_.size(); ++i) {
      operations_ += 1;
      late_ += ns_[i] > limit ? 1 : 0;
      if (ns_[i] <= longest_ns_) continue;
      longest_ns_ = ns_[i];
      longest_file_ = static_cast<int>(i);
    }
  }

  std::vector<float> ns_;
  double operations_ = 0, late_ = 0, longest_ns_ = 0;
  int longest_file_ = 0;
};

}  // namespace metadata
