#include "kernel.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"

// The loops are written in assembly: compilers spill or move the accumulators of such loops, and then the "peak" is a
// third of the real one. kernel_test.cpp disassembles them.
//
// Chains: 12 on x86, because the deepest pipeline of today needs latency 5 x 2 units = 10 in flight; 16 on Arm.
// Start x = 0.25, a = b = 0.5: every x tends to 1, exactly, and stays there, so the end value proves that all ran.

namespace fma_peak {

namespace {

template <class T>
double greatest_error(const T* x, int n) {
  double error = 0;
  for (int i = 0; i < n; ++i) error = greater(error, std::abs(static_cast<double>(x[i]) - 1.0));
  return error;
}

#if defined(__x86_64__)

constexpr int chains = 12;
constexpr int unrolled = 4;

template <class T, int bytes>
struct alignas(64) Operands {
  static constexpr int lanes = bytes / static_cast<int>(sizeof(T));
  T a[lanes], b[lanes], x[lanes];
  T out[chains * lanes];
  Operands() {
    std::fill_n(a, lanes, T(0.5));
    std::fill_n(b, lanes, T(0.5));
    std::fill_n(x, lanes, T(0.25));
  }
};

// clang-format off
#define TENKEN_ON_CHAINS(OP) OP("0") OP("1") OP("2") OP("3") OP("4") OP("5") OP("6") OP("7") OP("8") OP("9") OP("10") OP("11")
#define TENKEN_CLOBBERS "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", \
  "xmm10", "xmm11", "xmm14", "xmm15"
// NAME(loops): BODY once for each chain, `unrolled` times a loop; registers REG0..REG11, a in REG14, b in REG15.
#define TENKEN_PEAK(NAME, TYPE, BYTES, REG, MOVE, LOAD, BODY, STORE)                                           \
  double NAME(std::int64_t loops) {                                                                            \
    Operands<TYPE, BYTES> o;                                                                                   \
    asm volatile(MOVE " (%[a]), %%" REG "14\n\t" MOVE " (%[b]), %%" REG "15\n\t"                               \
                 TENKEN_ON_CHAINS(LOAD)                                                                        \
                 "1:\n\t"                                                                                      \
                 TENKEN_ON_CHAINS(BODY) TENKEN_ON_CHAINS(BODY) TENKEN_ON_CHAINS(BODY) TENKEN_ON_CHAINS(BODY)   \
                 "dec %[loops]\n\t"                                                                            \
                 "jnz 1b\n\t"                                                                                  \
                 TENKEN_ON_CHAINS(STORE)                                                                       \
                 : [loops] "+r"(loops)                                                                         \
                 : [a] "r"(o.a), [b] "r"(o.b), [x] "r"(o.x), [out] "r"(o.out)                                  \
                 : TENKEN_CLOBBERS);                                                                           \
    return greatest_error(o.out, chains * Operands<TYPE, BYTES>::lanes);                                       \
  }

#define Z_LOAD_D(i) "vmovupd (%[x]), %%zmm" i "\n\t"
#define Z_LOAD_S(i) "vmovups (%[x]), %%zmm" i "\n\t"
#define Z_FMA_D(i) "vfmadd213pd %%zmm15, %%zmm14, %%zmm" i "\n\t"
#define Z_FMA_S(i) "vfmadd213ps %%zmm15, %%zmm14, %%zmm" i "\n\t"
#define Z_STORE(i) "vmovupd %%zmm" i ", (64*" i ")(%[out])\n\t"
#define Y_LOAD_D(i) "vmovupd (%[x]), %%ymm" i "\n\t"
#define Y_LOAD_S(i) "vmovups (%[x]), %%ymm" i "\n\t"
#define Y_FMA_D(i) "vfmadd213pd %%ymm15, %%ymm14, %%ymm" i "\n\t"
#define Y_FMA_S(i) "vfmadd213ps %%ymm15, %%ymm14, %%ymm" i "\n\t"
#define Y_STORE(i) "vmovupd %%ymm" i ", (32*" i ")(%[out])\n\t"
#define X_LOAD_D(i) "movupd (%[x]), %%xmm" i "\n\t"
#define X_LOAD_S(i) "movups (%[x]), %%xmm" i "\n\t"
#define X_MUL_ADD_D(i) "mulpd %%xmm14, %%xmm" i "\n\taddpd %%xmm15, %%xmm" i "\n\t"
#define X_MUL_ADD_S(i) "mulps %%xmm14, %%xmm" i "\n\taddps %%xmm15, %%xmm" i "\n\t"
#define X_STORE(i) "movupd %%xmm" i ", (16*" i ")(%[out])\n\t"

TENKEN_PEAK(avx512_double, double, 64, "zmm", "vmovupd", Z_LOAD_D, Z_FMA_D, Z_STORE)
TENKEN_PEAK(avx512_single, float, 64, "zmm", "vmovups", Z_LOAD_S, Z_FMA_S, Z_STORE)
TENKEN_PEAK(avx2_double, double, 32, "ymm", "vmovupd", Y_LOAD_D, Y_FMA_D, Y_STORE)
TENKEN_PEAK(avx2_single, float, 32, "ymm", "vmovups", Y_LOAD_S, Y_FMA_S, Y_STORE)
TENKEN_PEAK(sse2_double, double, 16, "xmm", "movupd", X_LOAD_D, X_MUL_ADD_D, X_STORE)
TENKEN_PEAK(sse2_single, float, 16, "xmm", "movups", X_LOAD_S, X_MUL_ADD_S, X_STORE)
// clang-format on

constexpr std::int64_t flop(int lanes) { return std::int64_t{2} * lanes * chains * unrolled; }

bool has(std::string_view isa) {
  __builtin_cpu_init();
  if (isa == "avx512") return __builtin_cpu_supports("avx512f") != 0;
  if (isa == "avx2") return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return isa == "sse2" || isa == "scalar";
}

constexpr std::string_view widest_first[] = {"avx512", "avx2", "sse2", "scalar"};

#elif defined(__aarch64__)

constexpr int chains = 16;
constexpr int unrolled = 4;

// x += c, then x -= c with c = a a: back where it was after every pair, so x = 1 proves that none was lost.
// clang-format off
#define TENKEN_ON_CHAINS(OP) OP("0") OP("1") OP("2") OP("3") OP("4") OP("5") OP("6") OP("7") \
  OP("8") OP("9") OP("10") OP("11") OP("12") OP("13") OP("14") OP("15")
#define TENKEN_PEAK(NAME, TYPE, SHAPE)                                                                        \
  double NAME(std::int64_t loops) {                                                                           \
    TYPE out[chains * 16 / sizeof(TYPE)];                                                                     \
    asm volatile("fmov v31." SHAPE ", #0.5\n\t"                                                               \
                 TENKEN_ON_CHAINS(TENKEN_START_##TYPE)                                                        \
                 "1:\n\t"                                                                                     \
                 TENKEN_ON_CHAINS(TENKEN_ADD_##TYPE) TENKEN_ON_CHAINS(TENKEN_SUBTRACT_##TYPE)                 \
                 TENKEN_ON_CHAINS(TENKEN_ADD_##TYPE) TENKEN_ON_CHAINS(TENKEN_SUBTRACT_##TYPE)                 \
                 "subs %[loops], %[loops], #1\n\t"                                                            \
                 "b.ne 1b\n\t"                                                                                \
                 TENKEN_ON_CHAINS(TENKEN_STORE)                                                               \
                 : [loops] "+r"(loops)                                                                        \
                 : [out] "r"(out)                                                                             \
                 : "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11",  \
                   "v12", "v13", "v14", "v15", "v31");                                                        \
    return greatest_error(out, chains * 16 / static_cast<int>(sizeof(TYPE)));                                 \
  }
#define TENKEN_START_double(i) "fmov v" i ".2d, #1.0\n\t"
#define TENKEN_ADD_double(i) "fmla v" i ".2d, v31.2d, v31.2d\n\t"
#define TENKEN_SUBTRACT_double(i) "fmls v" i ".2d, v31.2d, v31.2d\n\t"
#define TENKEN_START_float(i) "fmov v" i ".4s, #1.0\n\t"
#define TENKEN_ADD_float(i) "fmla v" i ".4s, v31.4s, v31.4s\n\t"
#define TENKEN_SUBTRACT_float(i) "fmls v" i ".4s, v31.4s, v31.4s\n\t"
#define TENKEN_STORE(i) "str q" i ", [%[out], #(16*" i ")]\n\t"
TENKEN_PEAK(neon_double, double, "2d")
TENKEN_PEAK(neon_single, float, "4s")
// clang-format on

constexpr std::int64_t flop(int lanes) { return std::int64_t{2} * lanes * chains * unrolled; }
bool has(std::string_view isa) { return isa == "neon" || isa == "scalar"; }
constexpr std::string_view widest_first[] = {"neon", "scalar"};

#else

bool has(std::string_view isa) { return isa == "scalar"; }
constexpr std::string_view widest_first[] = {"scalar"};

#endif

constexpr int scalar_chains = 8;

// Any processor. The empty assembly keeps each value in a register and the compiler from joining lanes.
template <class T>
double scalar(std::int64_t loops) {
  T x[scalar_chains];
  std::fill_n(x, scalar_chains, T(0.25));
  T a = T(0.5);
  T b = T(0.5);
  T x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4], x5 = x[5], x6 = x[6], x7 = x[7];
  for (; loops > 0; --loops) {
    x0 = a * x0 + b;
    x1 = a * x1 + b;
    x2 = a * x2 + b;
    x3 = a * x3 + b;
    x4 = a * x4 + b;
    x5 = a * x5 + b;
    x6 = a * x6 + b;
    x7 = a * x7 + b;
#if defined(__x86_64__)
    asm volatile("" : "+x"(x0), "+x"(x1), "+x"(x2), "+x"(x3), "+x"(x4), "+x"(x5), "+x"(x6), "+x"(x7));
#elif defined(__aarch64__)
    asm volatile("" : "+w"(x0), "+w"(x1), "+w"(x2), "+w"(x3), "+w"(x4), "+w"(x5), "+w"(x6), "+w"(x7));
#else
    asm volatile("" : "+m"(x0), "+m"(x1), "+m"(x2), "+m"(x3), "+m"(x4), "+m"(x5), "+m"(x6), "+m"(x7));
#endif
  }
  const T out[scalar_chains] = {x0, x1, x2, x3, x4, x5, x6, x7};
  return greatest_error(out, scalar_chains);
}

}  // namespace

Kernel kernel_for(std::string_view isa, Precision precision) {
  if (isa == "best") isa = *std::find_if(std::begin(widest_first), std::end(widest_first), has);
  if (!has(isa)) {
    std::string valid;
    for (const auto name : widest_first) valid += has(name) ? " " + std::string(name) : "";
    tenken::refuse("this processor has no " + std::string(isa) + "; variants that run here: best" + valid);
  }
  const bool single = precision == Precision::single;
#if defined(__x86_64__)
  if (isa == "avx512") return {"avx512", flop(single ? 16 : 8), single ? avx512_single : avx512_double};
  if (isa == "avx2") return {"avx2", flop(single ? 8 : 4), single ? avx2_single : avx2_double};
  if (isa == "sse2") return {"sse2", flop(single ? 4 : 2), single ? sse2_single : sse2_double};
#elif defined(__aarch64__)
  if (isa == "neon") return {"neon", flop(single ? 4 : 2), single ? neon_single : neon_double};
#endif
  return {"scalar", std::int64_t{2} * scalar_chains, single ? scalar<float> : scalar<double>};
}

}  // namespace fma_peak
