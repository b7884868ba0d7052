// The kernel: y = a x + y (axpy of BLAS), shared out over the threads. It knows neither MPI nor the clock.
#pragma once

#include <cstddef>
#include <span>

namespace NAME {

inline constexpr double factor = 0x1p-10;

// x_i = 1 + (i mod 1024) / 1024: an element that is misplaced shows, and factor * x_i * passes is exact.
inline double start_of_x(std::size_t i) { return 1.0 + static_cast<double>(i % 1024) / 1024.0; }

// x as above, y = 0; written by the threads that work on them later, so that each part lies in the memory next to it.
void fill(std::span<double> x, std::span<double> y);

// x and y have one length and do not overlap.
void axpy(double a, std::span<const double> x, std::span<double> y);

}  // namespace NAME
