#include "pairs.hpp"

#include <algorithm>
#include <limits>

namespace core_pingpong {

namespace {
constexpr double none = std::numeric_limits<double>::quiet_NaN();

template <class Number>
double middle(std::vector<Number> values) {
  if (values.empty()) return none;
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), place, values.end());
  return static_cast<double>(*place);
}
}  // namespace

std::vector<int> taking_part(int threads, int most) {
  const int count = std::min(threads, most);
  std::vector<int> chosen;
  for (int i = 0; i < count; ++i) {
    chosen.push_back(count < 2 ? 0 : static_cast<int>(std::int64_t{i} * (threads - 1) / (count - 1)));
  }
  return chosen;
}

std::vector<Pair> all_pairs(const std::vector<int>& threads) {
  // The circle method: rounds in which every thread has another partner.
  const int n = static_cast<int>(threads.size());
  const int even = n + n % 2;
  std::vector<Pair> pairs;
  for (int round = 0; round + 1 < even; ++round) {
    for (int i = 0; i < even; ++i) {
      const int last = even - 1;
      const int met = (round - i % last + last) % last;
      const int j = i == last ? -1 : met == i ? last : met;
      if (j <= i || j >= n) continue;
      pairs.push_back({threads[static_cast<std::size_t>(i)], threads[static_cast<std::size_t>(j)]});
    }
  }
  return pairs;
}

double Samples::best(std::size_t pair) const {
  const std::vector<float>& own = ns_[pair];
  return own.empty() ? none : static_cast<double>(*std::min_element(own.begin(), own.end()));
}

double Samples::median(std::size_t pair) const { return middle(ns_[pair]); }

double Samples::median_of_pairs(bool best_ones) const {
  std::vector<double> each;
  for (std::size_t pair = 0; pair < ns_.size(); ++pair) {
    if (!ns_[pair].empty()) each.push_back(best_ones ? best(pair) : median(pair));
  }
  return middle(each);
}

}  // namespace core_pingpong
