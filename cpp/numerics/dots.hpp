// Scalar products whose result does not depend on the number of threads, to the last bit: each block of the vectors
// (team.hpp) is summed in an order of its own, then the blocks' sums in their order. Sums are taken in double precision
// whatever the vectors hold.
#pragma once

#include <cstdint>
#include <span>

#include "base/work.hpp"
#include "numerics/team.hpp"

namespace tenken {

// Sum of x y over one range, in 32 chains that fill vectors of any width with the same result.
template <class Real>
double dot(Range r, const Real* x, const Real* y);

// Sum of x over one range, with as many sums at once as hide the time of an addition: what reading memory costs at
// least.
double sum(Range r, const double* x);

// Sum of the numbers in their order, in eight chains. Any thread that calls it gets the same bits.
double sum_in_order(std::span<const double> numbers);

// Room for the sums of the blocks of vectors of length n. For hand-made reductions:
//
//   for (own blocks b) dots.part(b) = dot(dots.blocks()[b], x, y);  ...barrier...  s = dots.sum();
class Dots {
 public:
  explicit Dots(std::int64_t n);

  const Blocks& blocks() const { return blocks_; }
  double& part(std::int64_t block) { return parts_[static_cast<std::size_t>(block)]; }
  double sum() const;

  // x.y. Outside of a parallel region, or called by every thread of a team: all get the same result, and the team waits
  // once before and once after the sum.
  template <class Real>
  double operator()(const Real* x, const Real* y);

 private:
  Blocks blocks_;
  Buffer<double> parts_;
};

constexpr Work dot_work(std::int64_t n, std::int64_t bytes) { return {.flop = 2 * n, .bytes_read = 2 * bytes * n}; }
// x.x: one vector is read.
constexpr Work norm_work(std::int64_t n, std::int64_t bytes) { return {.flop = 2 * n, .bytes_read = bytes * n}; }

}  // namespace tenken
