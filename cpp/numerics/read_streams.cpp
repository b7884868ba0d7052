#include "numerics/read_streams.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "simd/vec.hpp"

namespace tenken {

namespace {

constexpr int line = 8;                 // numbers of a cache line
constexpr std::uintptr_t ahead = 2048;  // bytes
using Line = Vec<double, line>;

template <int streams>
double summed(Range r, const double* x) {
  const std::int64_t part = (r.last - r.first) / streams / line * line;
  std::array<Line, most_streams> sums{};  // more sums than streams hide the time of an addition
  constexpr int at_once = most_streams / streams;
  std::int64_t i = 0;
  for (; i + at_once * line <= part; i += at_once * line) {
    for (int s = 0; s < streams; ++s) {
      const double* const from = x + r.first + s * part + i;
      for (int n = 0; n < at_once; ++n) {
        __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(from + n * line) + ahead));
        sums[static_cast<std::size_t>(s * at_once + n)] += load<Line>(from + n * line);
      }
    }
  }
  Line all{};
  for (const Line& one : sums) all += one;
  double sum = 0;
  for (int l = 0; l < line; ++l) sum += all[l];
  for (int s = 0; s < streams; ++s) {
    for (std::int64_t n = i; n < part; ++n) sum += x[r.first + s * part + n];
  }
  for (std::int64_t n = r.first + streams * part; n < r.last; ++n) sum += x[n];
  return sum;
}

}  // namespace

double sum_of_streams(Range r, const double* x, int streams) {
  if (streams >= 8) return summed<8>(r, x);
  if (streams >= 4) return summed<4>(r, x);
  return streams >= 2 ? summed<2>(r, x) : summed<1>(r, x);
}

}  // namespace tenken
