// How numerics shares work among threads. Every operation comes in two forms:
//
//   axpy(Range, ...)  a range of its items; knows nothing of threads. For loops that a check cuts itself.
//   axpy(...)         all of them. Outside of a parallel region it opens one. Inside, every thread of the team must
//   call
//                     it and does its share; nobody waits at the end (like `omp for nowait`), so where the next step
//                     reads what another thread wrote, the caller puts a barrier.
//
// Shares are those of schedule(static): what a thread touches first it also works on later, in every operation.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "base/buffer.hpp"

namespace tenken {

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;  // one beyond
  std::int64_t size() const { return last - first; }
  bool operator==(const Range&) const = default;
};

// Share of one thread of n items: the first n mod threads threads get one more.
inline Range share_of(std::int64_t n, int thread, int threads) {
  const std::int64_t each = n / threads;
  const std::int64_t more = n % threads;
  const std::int64_t first = thread * each + std::min<std::int64_t>(thread, more);
  return {first, first + each + (thread < more ? 1 : 0)};
}

// body(Range) on every thread of the team, as above.
template <class Body>
void share(std::int64_t n, const Body& body) {
  if (omp_get_level() > 0) {
    body(share_of(n, omp_get_thread_num(), omp_get_num_threads()));
    return;
  }
#pragma omp parallel
  body(share_of(n, omp_get_thread_num(), omp_get_num_threads()));
}

// n items in blocks of a size that is a function of n alone: at most 1024 of them, of at least 512 items and a multiple
// of 64. Vectors are touched, updated and summed by these blocks, so that all of it falls on the same threads and sums
// do not depend on how many these are.
class Blocks {
 public:
  explicit Blocks(std::int64_t n)
      : n_(n), size_(std::max<std::int64_t>(least, (n + most * unit - 1) / (most * unit) * unit)) {}

  std::int64_t count() const { return (n_ + size_ - 1) / size_; }
  std::int64_t size() const { return size_; }
  Range operator[](std::int64_t block) const { return {block * size_, std::min(n_, (block + 1) * size_)}; }
  // Items of a range of blocks.
  Range items(Range blocks) const { return {std::min(n_, blocks.first * size_), std::min(n_, blocks.last * size_)}; }

 private:
  static constexpr std::int64_t most = 1024;
  static constexpr std::int64_t least = 512;
  static constexpr std::int64_t unit = 64;

  std::int64_t n_;
  std::int64_t size_;
};

// body(Range of items) on every thread of the team: its share of the blocks of n items.
template <class Body>
void share_blocks(std::int64_t n, const Body& body) {
  const Blocks blocks(n);
  share(blocks.count(), [&](Range mine) { body(blocks.items(mine)); });
}

// An array of zeros, each page touched first by the thread that share_blocks gives it to.
template <class T>
Buffer<T> make_array(std::int64_t n, std::string_view purpose, Pages pages = Pages::huge) {
  Buffer<T> array(static_cast<std::size_t>(n), pages, purpose);
  share_blocks(n, [&](Range mine) { std::fill(array.data() + mine.first, array.data() + mine.last, T{}); });
  return array;
}

}  // namespace tenken
