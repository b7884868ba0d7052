// Loops as STREAM has them; the compiler vectorises. check.cmake keeps it from calling memcpy instead, which on large
// arrays stores past the caches and would be the other variant under this one's name.
#include "kernel.hpp"
#include "simd/vec.hpp"

namespace stream {

namespace {

void copy(double* __restrict out, const double* __restrict a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i];
}

void scale(double* __restrict out, const double* __restrict c, double s, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = s * c[i];
}

void add(double* __restrict out, const double* __restrict a, const double* __restrict b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

void triad(double* __restrict out, const double* __restrict b, const double* __restrict c, double s, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = multiply_add(s, c[i], b[i]);
}

constexpr std::size_t vector_bytes = tenken::vector_bytes;
typedef double Vector __attribute__((vector_size(vector_bytes)));
typedef double InMemory __attribute__((vector_size(vector_bytes), aligned(sizeof(double)), may_alias));

Vector load(const double* from) { return *reinterpret_cast<const InMemory*>(from); }

// A compiler may not reorder a sum, so one accumulator would be limited
// by the latency of an addition: four vectors of them.
double read(const double* a, std::size_t n) {
  constexpr std::size_t lanes = vector_bytes / sizeof(double);
  Vector x0{}, x1{}, x2{}, x3{};
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    x0 += load(a + i);
    x1 += load(a + i + lanes);
    x2 += load(a + i + 2 * lanes);
    x3 += load(a + i + 3 * lanes);
  }
  x0 = (x0 + x1) + (x2 + x3);
  double sum = 0;
  for (std::size_t k = 0; k < lanes; ++k) sum += x0[k];
  for (; i < n; ++i) sum += a[i];
  return sum;
}

}  // namespace

const Kernels& plain() {
  static constexpr Kernels kernels{copy, scale, add, triad, read};
  return kernels;
}

}  // namespace stream
