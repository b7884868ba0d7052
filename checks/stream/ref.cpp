// The kernels in their plainest form, summed in extended precision: nothing to vectorise, nothing to go wrong.
#include "kernel.hpp"

namespace stream {

namespace {

void copy(double* out, const double* a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i];
}

void scale(double* out, const double* c, double s, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = s * c[i];
}

void add(double* out, const double* a, const double* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

void triad(double* out, const double* b, const double* c, double s, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = multiply_add(s, c[i], b[i]);
}

double read(const double* a, std::size_t n) {
  long double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += a[i];
  return static_cast<double>(sum);
}

}  // namespace

const Kernels& reference() {
  static constexpr Kernels kernels{copy, scale, add, triad, read};
  return kernels;
}

}  // namespace stream
