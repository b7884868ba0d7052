// Fourier transforms by FFTW3, double precision, 1 to 3 dimensions, complex and real. Only targets that link tenken_fft
// may include it; it exists where FFTW3 is found.
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
#include <string>
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
