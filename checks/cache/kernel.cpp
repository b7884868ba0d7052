#include "kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"

namespace cache {

std::uint64_t chase(const std::uint64_t* words, std::uint64_t at, std::int64_t loads) {
  for (std::int64_t i = 0; i < loads; ++i) at = words[at / 8];
  return at;
}

std::uint64_t sum(std::span<const std::uint64_t> words) {
  constexpr std::size_t parts = 4 * line_words;
  std::uint64_t each[parts] = {};
  std::size_t i = 0;
  for (; i + parts <= words.size(); i += parts) {
    for (std::size_t k = 0; k < parts; ++k) each[k] += words[i + k];
  }
  std::uint64_t total = 0;
  for (const std::uint64_t part : each) total += part;
  for (; i < words.size(); ++i) total += words[i];
  return total;
}

std::vector<std::uint32_t> random_cycle(std::size_t lines, std::uint64_t seed) {
  // Any order of all lines but the first, closed to a cycle, is a random cycle: Fisher and Yates.
  std::vector<std::uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0u);
  std::uint64_t state = tenken::mix64(seed);
  for (std::size_t i = lines - 1; i > 1; --i) {
    state = tenken::mix64(state + i);
    const auto j = 1 + static_cast<std::size_t>((static_cast<unsigned __int128>(state) * i) >> 64);
    std::swap(order[i], order[j]);
  }
  return order;
}

std::vector<std::size_t> working_sets(std::size_t least, std::size_t largest, int steps) {
  std::vector<std::size_t> sizes;
  for (int step = 0;; ++step) {
    const double size = static_cast<double>(least) * std::exp2(static_cast<double>(step) / steps);
    const std::size_t lines = std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(size / line_bytes)));
    if (step > 0 && lines * line_bytes > largest) return sizes;
    if (sizes.empty() || sizes.back() < lines * line_bytes) sizes.push_back(lines * line_bytes);
  }
}

WorkingSet::WorkingSet(std::span<std::uint64_t> words, std::size_t bytes, std::uint64_t seed)
    : words_(words.first(bytes / 8)), order_(random_cycle(bytes / line_bytes, seed)) {
  const std::size_t lines = order_.size();
  for (std::size_t i = 0; i < lines; ++i) {
    words_[order_[i] * line_words] = order_[(i + 1) % lines] * line_bytes;
  }
  sums_.assign((bytes + piece_bytes - 1) / piece_bytes, 0);
  for (std::size_t number = 0; number < sums_.size(); ++number) {
    const std::size_t first = number * (piece_bytes / 8);
    const std::size_t last = std::min(words_.size(), first + piece_bytes / 8);
    std::uint64_t total = 0;
    for (std::size_t w = first; w < last; ++w) {
      if (w % line_words != 0) words_[w] = tenken::mix64(seed + w);
      total += words_[w];
    }
    sums_[number] = total;
  }
}

void WorkingSet::chase_on(std::int64_t loads) {
  at_ = chase(words_.data(), at_, loads);
  visited_ += loads;
}

std::span<const std::uint64_t> WorkingSet::piece(std::size_t number) const {
  const std::size_t first = number * (piece_bytes / 8);
  return words_.subspan(first, std::min(piece_bytes / 8, words_.size() - first));
}

std::size_t WorkingSet::bytes_of_piece(std::size_t number) const { return piece(number).size() * 8; }

std::int64_t WorkingSet::bytes_of_next(int pieces) const {
  std::int64_t bytes = 0;
  for (int i = 0; i < pieces; ++i) {
    bytes += static_cast<std::int64_t>(bytes_of_piece((next_ + static_cast<std::size_t>(i)) % sums_.size()));
  }
  return bytes;
}

void WorkingSet::sum_on(int pieces) {
  for (int i = 0; i < pieces; ++i) {
    wrong_ += sum(piece(next_)) == sums_[next_] ? 0 : 1;
    next_ = (next_ + 1) % sums_.size();
  }
}

void WorkingSet::warm() {
  for (std::size_t number = 0; number < sums_.size(); ++number) wrong_ += sum(piece(number)) == sums_[number] ? 0 : 1;
}

}  // namespace cache
