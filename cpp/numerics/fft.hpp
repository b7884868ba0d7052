// Fourier transforms by FFTW3, double precision, 1 to 3 dimensions, complex and real. Only for variants and checks that
// say `requires = ["fftw3"]`.
//
//   ComplexFft forward({nz, ny, nx}, a, b, Direction::forward); ... forward.run();
//
// Arrays are row-major: the last extent is the fastest. No transform is scaled: forward and then backward gives the
// input times the product of the extents. A plan overwrites its arrays while it is made (not with Effort::estimate),
// and may be made by one thread at a time.
#pragma once

#include <fftw3.h>

#include <complex>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"

namespace tenken {

// Sign of the exponent: forward is -, backward +.
enum class Direction { forward = FFTW_FORWARD, backward = FFTW_BACKWARD };
enum class Effort : unsigned { estimate = FFTW_ESTIMATE, measure = FFTW_MEASURE };

namespace detail {

struct DestroyPlan {
  void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
};
using Plan = std::unique_ptr<std::remove_pointer_t<fftw_plan>, DestroyPlan>;

inline void require_extents(const std::vector<int>& extents) {
  bool valid = !extents.empty() && extents.size() <= 3;
  std::string listed;
  for (const int n : extents) {
    valid = valid && n >= 1;
    listed += (listed.empty() ? "" : ",") + std::to_string(n);
  }
  if (!valid)
    refuse("a Fourier transform of extents '" + listed + "' is not possible; use 1 to 3 extents of at least 1");
}

inline Plan made(fftw_plan plan) {
  if (plan == nullptr) impossible("FFTW could not plan a Fourier transform; is it built for this type of transform?");
  return Plan(plan);
}

inline fftw_complex* raw(std::complex<double>* a) { return reinterpret_cast<fftw_complex*>(a); }

}  // namespace detail

class ComplexFft {
 public:
  // in and out may be the same.
  ComplexFft(const std::vector<int>& extents, std::complex<double>* in, std::complex<double>* out, Direction direction,
             Effort effort = Effort::measure) {
    detail::require_extents(extents);
    plan_ = detail::made(fftw_plan_dft(static_cast<int>(extents.size()), extents.data(), detail::raw(in),
                                       detail::raw(out), static_cast<int>(direction), static_cast<unsigned>(effort)));
  }

  void run() const { fftw_execute(plan_.get()); }

 private:
  detail::Plan plan_;
};

// Number k of line j is at j * distance + k * stride.
struct FftLines {
  int stride = 1;
  int distance = 1;
};

// Many transforms of one dimension, from one array into another one. The input stays as it is. Several threads may run
// one plan, each on arrays of its own.
class ManyFft {
 public:
  // n numbers a line, `lines` lines; planning takes memory of the size of both arrays.
  ManyFft(int n, int lines, FftLines in, FftLines out, Direction direction, Effort effort = Effort::measure) {
    detail::require_extents({n});
    if (lines < 1 || in.stride < 1 || in.distance < 1 || out.stride < 1 || out.distance < 1)
      refuse("a Fourier transform of " + std::to_string(lines) +
             " lines is not possible; use at least 1 line, and strides and distances of at least 1");
    const Scratch from = scratch(extent(n, lines, in)), to = scratch(extent(n, lines, out));
    plan_ = detail::made(fftw_plan_many_dft(1, &n, lines, from.get(), nullptr, in.stride, in.distance, to.get(),
                                            nullptr, out.stride, out.distance, static_cast<int>(direction),
                                            static_cast<unsigned>(effort) | FFTW_PRESERVE_INPUT));
  }

  // Whether an array begins where the plan's instructions of many numbers need it, as memory of new, malloc and Buffer
  // does.
  static bool aligned(const std::complex<double>* a) {
    return fftw_alignment_of(reinterpret_cast<double*>(const_cast<std::complex<double>*>(a))) == 0;
  }

  // Throws std::invalid_argument where an array is not aligned, or both are one.
  void run(const std::complex<double>* in, std::complex<double>* out) const {
    if (!aligned(in) || !aligned(out) || in == out)
      throw std::invalid_argument("ManyFft needs two arrays that are aligned for FFTW");
    fftw_execute_dft(plan_.get(), detail::raw(const_cast<std::complex<double>*>(in)), detail::raw(out));
  }

 private:
  struct Free {
    void operator()(fftw_complex* memory) const { fftw_free(memory); }
  };
  using Scratch = std::unique_ptr<fftw_complex, Free>;
  static Scratch scratch(std::size_t numbers) {
    Scratch memory(fftw_alloc_complex(numbers));
    if (memory == nullptr) impossible("there is no memory to plan a Fourier transform; use a smaller grid");
    return memory;
  }
  static std::size_t extent(int n, int lines, FftLines of) {
    return static_cast<std::size_t>(n - 1) * static_cast<std::size_t>(of.stride) +
           static_cast<std::size_t>(lines - 1) * static_cast<std::size_t>(of.distance) + 1;
  }

  detail::Plan plan_;
};

// Between real numbers and the half of their spectrum whose last index is at most n/2: [..., n] and [..., n/2 + 1].
class RealFft {
 public:
  // Forward; leaves `in` as it is.
  RealFft(const std::vector<int>& extents, double* in, std::complex<double>* out, Effort effort = Effort::measure) {
    detail::require_extents(extents);
    plan_ = detail::made(fftw_plan_dft_r2c(static_cast<int>(extents.size()), extents.data(), in, detail::raw(out),
                                           static_cast<unsigned>(effort) | FFTW_PRESERVE_INPUT));
  }
  // Backward; destroys `in`.
  RealFft(const std::vector<int>& extents, std::complex<double>* in, double* out, Effort effort = Effort::measure) {
    detail::require_extents(extents);
    plan_ = detail::made(fftw_plan_dft_c2r(static_cast<int>(extents.size()), extents.data(), detail::raw(in), out,
                                           static_cast<unsigned>(effort) | FFTW_DESTROY_INPUT));
  }

  void run() const { fftw_execute(plan_.get()); }

 private:
  detail::Plan plan_;
};

}  // namespace tenken
