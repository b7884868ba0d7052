// Vectors of the target, by the vector extension that GCC and Clang share (docs/decisions/vectors.md#8).
//
// Vec<double, 4> has the operators of a double, lane by lane. Any power of two is a valid width: what is wider than a
// register becomes several, so that code for wide vectors can be tested on narrow machines. Width 1 is the plain type.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// Passing vectors wider than a register by value changes the ABI; all such functions are inlined here.
#pragma GCC diagnostic ignored "-Wpsabi"

// TENKEN_INLINE for the parts of a kernel: what is not inlined there passes vectors through memory. TENKEN_UNROLL
// before a loop over parts of a site: unrolled whole, so that arrays of vectors become registers. Not where a sanitizer
// checks every access: one site would be minutes of compilation.
#if defined(__SANITIZE_ADDRESS__)
#define TENKEN_INLINE inline
#define TENKEN_INLINE_LAMBDA
#define TENKEN_UNROLL
#else
#define TENKEN_INLINE [[gnu::always_inline]] inline
#define TENKEN_INLINE_LAMBDA __attribute__((always_inline))
#if defined(__clang__)
#define TENKEN_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TENKEN_UNROLL _Pragma("GCC unroll 8")
#endif
#endif

namespace tenken {

namespace detail {

template <class Real, int width>
struct VecOf {
  typedef Real type __attribute__((vector_size(width * sizeof(Real))));
};
template <class Real>
struct VecOf<Real, 1> {
  using type = Real;
};

template <int mask, class V, std::size_t... lane>
inline V lanes_xor(const V& v, std::index_sequence<lane...>) {
  return __builtin_shufflevector(v, v, static_cast<int>(lane ^ mask)...);
}

}  // namespace detail

template <class Real, int width>
using Vec = typename detail::VecOf<Real, width>::type;

// Of the vectors that kernels are written for: TENKEN_VECTOR_BYTES where the environment asks for it, else a register.
constexpr int widest_vector_bytes = 64;
#if defined(TENKEN_VECTOR_BYTES)
constexpr int vector_bytes = TENKEN_VECTOR_BYTES;
static_assert(vector_bytes == 16 || vector_bytes == 32 || vector_bytes == widest_vector_bytes);
#elif defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;  // SSE2, NEON
#endif

template <class Real>
constexpr int native_width = vector_bytes / static_cast<int>(sizeof(Real));
template <class Real>
constexpr int widest_width = widest_vector_bytes / static_cast<int>(sizeof(Real));

// Lane i of the result is lane i ^ mask of v.
template <int mask, int width, class V>
inline V swap_lanes(const V& v) {
  static_assert(mask >= 0 && mask < width && (width & (width - 1)) == 0);
  if constexpr (mask == 0) {
    return v;
  } else {
    return detail::lanes_xor<mask>(v, std::make_index_sequence<width>());
  }
}

// x, fetched from memory once into a register. Where a value is used several times, compilers otherwise fetch it each
// time, and loads, not arithmetic, become the limit.
template <class V>
inline V fetch(const V& x) {
  return *static_cast<const volatile V*>(&x);
}

// Lanes from and to memory of any alignment.
template <class V, class Real>
TENKEN_INLINE V load(const Real* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class V, class Real>
TENKEN_INLINE void store(const V& v, Real* to) {
  std::memcpy(to, &v, sizeof v);
}

// Whether store_past_caches() does what its name says on this target.
#if defined(__SSE2__)
constexpr bool has_stores_past_caches = true;
#else
constexpr bool has_stores_past_caches = false;
#endif

// A register's lanes to memory, past the caches where the target has such stores: a line that is written whole is
// neither read first nor kept in a cache. `to` is a multiple of the register's size. Before another thread reads what
// was written so: finish_past_caches().
template <class V, class Real>
TENKEN_INLINE void store_past_caches(const V& v, Real* to) {
#if defined(__SSE2__)
  static_assert(sizeof v == vector_bytes);
  if constexpr (sizeof v == 16) {
    __m128 x;
    std::memcpy(&x, &v, sizeof v);
    _mm_stream_ps(reinterpret_cast<float*>(to), x);
#if defined(__AVX__)
  } else if constexpr (sizeof v == 32) {
    __m256 x;
    std::memcpy(&x, &v, sizeof v);
    _mm256_stream_ps(reinterpret_cast<float*>(to), x);
#endif
#if defined(__AVX512F__)
  } else if constexpr (sizeof v == 64) {
    __m512 x;
    std::memcpy(&x, &v, sizeof v);
    _mm512_stream_ps(reinterpret_cast<float*>(to), x);
#endif
  } else {
    store(v, to);
  }
#else
  store(v, to);
#endif
}
inline void finish_past_caches() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

// x, in a register from here on: what was read from memory is not read again for each use. In place of fetch() where
// the address is computed: reads of volatiles do not take sums of registers as addresses.
template <class V>
TENKEN_INLINE V in_register(const V& x) {
#if defined(__x86_64__)
#if defined(__AVX512F__)
  constexpr std::size_t register_bytes = 64;
#elif defined(__AVX__)
  constexpr std::size_t register_bytes = 32;
#else
  constexpr std::size_t register_bytes = 16;
#endif
  if constexpr (sizeof(V) >= 16 && sizeof(V) <= register_bytes) {
    V v = x;
    asm("" : "+v"(v));
    return v;
  }
#elif defined(__aarch64__)
  if constexpr (sizeof(V) == 16) {
    V v = x;
    asm("" : "+w"(v));
    return v;
  }
#endif
  return fetch(x);
}

// The lanes of v in another number format.
template <class To, class V>
TENKEN_INLINE To convert_lanes(const V& v) {
  if constexpr (requires { v[0]; }) {
    return __builtin_convertvector(v, To);
  } else {
    return static_cast<To>(v);
  }
}

// a b + c lane by lane, rounded once where the target can: written out where answers are to be the same at every width,
// because compilers contract a product and a sum in one loop and not in the next.
template <class V>
TENKEN_INLINE V multiply_add(const V& a, const V& b, const V& c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  if constexpr (requires { a[0]; }) {
    V sum;
    for (std::size_t lane = 0; lane < sizeof(V) / sizeof(a[0]); ++lane) sum[lane] = std::fma(a[lane], b[lane], c[lane]);
    return sum;
  } else {
    return std::fma(a, b, c);
  }
#else
  return a * b + c;
#endif
}

// Keeps the compiler from carrying results in registers beyond this point, or work across it.
inline void keep_in_memory() { asm volatile("" : : : "memory"); }

}  // namespace tenken
