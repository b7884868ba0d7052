// Stores that go to memory without reading the line first and without staying in a cache.
#include "base/error.hpp"
#include "kernel.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace stream {

#if defined(__SSE2__)

namespace {

#if defined(__AVX512F__)
using Vector = __m512d;
Vector load(const double* from) { return _mm512_loadu_pd(from); }
void store(double* to, Vector v) { _mm512_stream_pd(to, v); }
Vector all(double x) { return _mm512_set1_pd(x); }
Vector sum(Vector a, Vector b) { return _mm512_add_pd(a, b); }
Vector product(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
Vector fused(Vector s, Vector c, Vector b) { return _mm512_fmadd_pd(s, c, b); }
#elif defined(__AVX__)
using Vector = __m256d;
Vector load(const double* from) { return _mm256_loadu_pd(from); }
void store(double* to, Vector v) { _mm256_stream_pd(to, v); }
Vector all(double x) { return _mm256_set1_pd(x); }
Vector sum(Vector a, Vector b) { return _mm256_add_pd(a, b); }
Vector product(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
#if defined(__FMA__)
Vector fused(Vector s, Vector c, Vector b) { return _mm256_fmadd_pd(s, c, b); }
#else
Vector fused(Vector s, Vector c, Vector b) { return sum(b, product(s, c)); }
#endif
#else
using Vector = __m128d;
Vector load(const double* from) { return _mm_loadu_pd(from); }
void store(double* to, Vector v) { _mm_stream_pd(to, v); }
Vector all(double x) { return _mm_set1_pd(x); }
Vector sum(Vector a, Vector b) { return _mm_add_pd(a, b); }
Vector product(Vector a, Vector b) { return _mm_mul_pd(a, b); }
Vector fused(Vector s, Vector c, Vector b) { return sum(b, product(s, c)); }
#endif

constexpr std::size_t lanes = sizeof(Vector) / sizeof(double);
static_assert(line % lanes == 0, "a line is whole vectors, so that every store but the last ones fills lines");

// `vector(i)` gives `lanes` results from element i on, `scalar(i)` one. The fence orders the stores before whatever the
// thread does next: it is part of the work, so it is timed.
template <class OfVector, class OfScalar>
inline void store_all(double* out, std::size_t n, const OfVector& vector, const OfScalar& scalar) {
  const std::size_t whole = n / line * line;
  for (std::size_t i = 0; i < whole; i += line) {
    for (std::size_t k = 0; k < line; k += lanes) store(out + i + k, vector(i + k));
  }
  for (std::size_t i = whole; i < n; ++i) out[i] = scalar(i);
  _mm_sfence();
}

void copy(double* __restrict out, const double* __restrict a, std::size_t n) {
  store_all(
      out, n, [=](std::size_t i) { return load(a + i); }, [=](std::size_t i) { return a[i]; });
}

void scale(double* __restrict out, const double* __restrict c, double s, std::size_t n) {
  const Vector factor = all(s);
  store_all(
      out, n, [=](std::size_t i) { return product(factor, load(c + i)); }, [=](std::size_t i) { return s * c[i]; });
}

void add(double* __restrict out, const double* __restrict a, const double* __restrict b, std::size_t n) {
  store_all(
      out, n, [=](std::size_t i) { return sum(load(a + i), load(b + i)); }, [=](std::size_t i) { return a[i] + b[i]; });
}

void triad(double* __restrict out, const double* __restrict b, const double* __restrict c, double s, std::size_t n) {
  const Vector factor = all(s);
  store_all(
      out, n, [=](std::size_t i) { return fused(factor, load(c + i), load(b + i)); },
      [=](std::size_t i) { return multiply_add(s, c[i], b[i]); });
}

}  // namespace

const Kernels& nontemporal() {
  static const Kernels kernels{copy, scale, add, triad, plain().read};
  return kernels;
}

#else

const Kernels& nontemporal() {
  tenken::refuse(
      "variant nontemporal needs the non-temporal stores of x86-64, which this build has not; use --variant plain");
}

#endif

}  // namespace stream
