// Memory in slices, and the threads that read their own.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "kernel.hpp"

namespace memory {

constexpr std::size_t slice_words = std::size_t{1} << 20;  // 8 MiB: about a millisecond of a core

// Memory that is read slice by slice, going round: a slice that was read is far from the caches when its turn comes
// again.
class Slices {
 public:
  Slices(std::size_t words, tenken::Pages pages) : words_(words, pages, "memory") {
    const std::size_t count = std::max<std::size_t>(1, words / slice_words);
    each_ = words / count / line_words * line_words;
    sums_.resize(count);
  }

  void write_all(std::uint64_t seed) {
    for (std::size_t number = 0; number < sums_.size(); ++number) write(number, seed + number);
  }
  void write(std::size_t number, std::uint64_t seed) { sums_[number] = fill(slice(number), seed); }

  std::size_t count() const { return sums_.size(); }
  std::int64_t bytes() const { return static_cast<std::int64_t>(each_ * 8); }  // of a slice
  std::span<std::uint64_t> slice(std::size_t number) { return {words_.data() + number * each_, each_}; }
  std::uint64_t sum(std::size_t number) const { return sums_[number]; }
  std::size_t huge_bytes() const { return words_.huge_bytes(); }

 private:
  tenken::Buffer<std::uint64_t> words_;
  std::size_t each_ = 0;
  std::vector<std::uint64_t> sums_;  // of each slice, as written
};

// Each thread reads its own memory, which it wrote itself.
class Readers {
 public:
  Readers(int threads, std::size_t words, tenken::Pages pages) : threads_(threads) {
    for (int thread = 0; thread < threads_; ++thread) own_.emplace_back(words, pages);
#pragma omp parallel num_threads(threads_)
    own_[me()].write_all(seed(0));
  }

  std::int64_t bytes() const { return own_.front().bytes() * threads_; }

  // To be timed: a slice of each thread.
  void read(int streams) {
    std::int64_t wrong = 0;
#pragma omp parallel num_threads(threads_) reduction(+ : wrong)
    {
      Slices& own = own_[me()];
      wrong += memory::read(own.slice(next_), streams) == own.sum(next_) ? 0 : 1;
    }
    wrong_ += wrong;
  }

  // Other numbers in the slice that was read, and on to the next one.
  void rewrite() {
    ++round_;
#pragma omp parallel num_threads(threads_)
    own_[me()].write(next_, seed(round_));
    next_ = (next_ + 1) % own_.front().count();
  }

  std::int64_t wrong() const { return wrong_; }
  std::size_t huge_bytes() const {
    return std::accumulate(own_.begin(), own_.end(), std::size_t{0},
                           [](std::size_t sum, const Slices& own) { return sum + own.huge_bytes(); });
  }
  void break_word() { own_.back().slice(next_)[7] ^= 1; }

 private:
  static std::size_t me() { return static_cast<std::size_t>(omp_get_thread_num()); }
  static std::uint64_t seed(std::uint64_t round) { return (round << 20) + me(); }

  int threads_;
  std::vector<Slices> own_;
  std::size_t next_ = 0;
  std::uint64_t round_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace memory
