// The kernels of STREAM (J. D. McCalpin, "Memory Bandwidth and Machine Balance in
// Current High Performance Computers", IEEE TCCA Newsletter, 1995) and a read-only
// sum, over the part of one thread: plain loops without OpenMP, MPI or timing.
#pragma once

#include <cstddef>

#include "simd/vec.hpp"

namespace stream {

// Parts begin at multiples of this many elements: one line of 64 bytes, which non-temporal stores fill whole.
constexpr std::size_t line = 8;

// `out` of every kernel is aligned to 64 bytes; arrays do not overlap.
struct Kernels {
  void (*copy)(double* out, const double* a, std::size_t n);                  // out = a
  void (*scale)(double* out, const double* c, double s, std::size_t n);       // out = s c
  void (*add)(double* out, const double* a, const double* b, std::size_t n);  // out = a + b
  void (*triad)(double* out, const double* b, const double* c, double s,
                std::size_t n);                    // out = b + s c, fused where there is FMA
  double (*read)(const double* a, std::size_t n);  // sum of a
};

const Kernels& plain();
const Kernels& nontemporal();  // throws UserError in a build for a processor without such stores
const Kernels& reference();    // what the others are tested against

using tenken::multiply_add;

}  // namespace stream
