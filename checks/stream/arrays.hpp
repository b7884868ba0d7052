// The three arrays of one team and the sweeps over them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "kernel.hpp"

namespace stream {

// One of `of` nearly equal stretches.
struct Stretch {
  int k = 0;
  int of = 1;
};

class Arrays {
 public:
  // `n` elements an array, first touched by the same part of the same thread that sweeps them later, so that they lie
  // in the memory next to it. Element i starts as 1 + (i mod 1024) / 1024: a value that is misplaced shows.
  // A kernel goes `passes` times over them before the team meets again: what one pass gives, another gives again.
  Arrays(std::int64_t n, tenken::Pages pages, std::int64_t threads, std::int64_t team, int passes = 1);

  // Each sweeps stretch `k` of `of`, in the part of every thread; all stretches in turn are a whole sweep.
  void copy(const Kernels& kernels, Stretch stretch = {});
  void scale(const Kernels& kernels, Stretch stretch = {});
  void add(const Kernels& kernels, Stretch stretch = {});
  void triad(const Kernels& kernels, Stretch stretch = {});
  void read(const Kernels& kernels, Stretch stretch = {});
  std::size_t elements(Stretch stretch) const;  // of one array

  // Greatest relative error of any element after whole sweeps (copy, scale, add, triad, in this order).
  double greatest_error() const;
  double rounding() const;  // what the three roundings of each sweep may add up to: less than 4 u sweeps

  // Relative error of the last read, and what rounding may add to it: 8 accumulators a thread at least.
  double read_error() const;
  double read_rounding() const;

  std::size_t huge_bytes() const { return a_.huge_bytes() + b_.huge_bytes() + c_.huge_bytes(); }

 private:
  template <class Work>
  void sweep(const Work& work, Stretch stretch = {}) const;

  std::size_t n_;
  int threads_;
  int team_;
  int passes_;
  int sweeps_ = 0;
  double sum_ = 0;
  tenken::Buffer<double> a_, b_, c_;
  struct alignas(64) Partial {
    double value = 0;
  };
  mutable std::vector<Partial> partial_;  // one line a thread
};

// The worst over several teams.
struct Proof {
  double error = 0;
  double rounding = 0;
  double read_error = 0;
  double read_rounding = 0;
  std::size_t huge_bytes = 0;

  void add(const Arrays& arrays);
};

}  // namespace stream
