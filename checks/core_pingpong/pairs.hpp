// Which threads meet, and what their samples were.
#pragma once

#include <cstdint>
#include <vector>

namespace core_pingpong {

// Of `threads` threads those that take part: all, or `most`, evenly spread with the first and the last among them.
std::vector<int> taking_part(int threads, int most);

struct Pair {
  int first;  // threads
  int second;
};

// Every pair once, in an order in which neighbours in time share no thread where that can be.
std::vector<Pair> all_pairs(const std::vector<int>& threads);

// Samples of one kind for every pair, ns a round trip.
class Samples {
 public:
  explicit Samples(std::size_t pairs) : ns_(pairs) {}
  void add(std::size_t pair, double ns) { ns_[pair].push_back(static_cast<float>(ns)); }
  double best(std::size_t pair) const;    // NaN without a sample
  double median(std::size_t pair) const;  // the same
  double median_of_pairs(bool best_ones) const;

 private:
  std::vector<std::vector<float>> ns_;
};

}  // namespace core_pingpong
