// Which part of a coloured matrix and its vectors belongs to which thread: a share of every colour, the same in every
// operation.
#pragma once

#include <algorithm>
#include <vector>

#include "numerics/coloured.hpp"
#include "numerics/dots.hpp"

namespace tenken {

class Shares {
 public:
  // The matrix must outlive it.
  Shares(const Coloured& a, int threads) : a_(a), threads_(threads) {
    for (int thread = 0; thread < threads; ++thread) {
      for (int colour = 0; colour < a.colours(); ++colour) parts_.push_back(chunks_of(a, colour, thread, threads));
    }
  }

  int threads() const { return threads_; }
  // Chunks.
  Range own(int thread, int colour) const { return parts_[static_cast<std::size_t>(thread * a_.colours() + colour)]; }
  // use(rows) for each of its runs of rows.
  template <class Use>
  void over_rows(int thread, const Use& use) const {
    for (int colour = 0; colour < a_.colours(); ++colour) {
      const Range chunks = own(thread, colour);
      use(Range{chunks.first * a_.c, chunks.last * a_.c});
    }
  }
  // The same in pieces that a first-level cache holds of several vectors: for passes that use a vector more than once.
  template <class Use>
  void over_pieces(int thread, const Use& use) const {
    constexpr std::int64_t piece = 512;
    over_rows(thread, [&](Range rows) {
      for (std::int64_t first = rows.first; first < rows.last; first += piece) {
        use(Range{first, std::min(first + piece, rows.last)});
      }
    });
  }
  // Of this thread's rows.
  double dot(int thread, const Buffer<double>& u, const Buffer<double>& v) const {
    double sum = 0;
    over_rows(thread, [&](Range rows) { sum += tenken::dot(rows, u.data(), v.data()); });
    return sum;
  }

 private:
  const Coloured& a_;
  int threads_;
  std::vector<Range> parts_;
};

}  // namespace tenken
