#include "numerics/dots.hpp"

#include "simd/vec.hpp"

namespace tenken {

namespace {

constexpr int width = 8;
constexpr int vectors = 4;
constexpr int chains = width * vectors;
using V = Vec<double, width>;

template <class Real>
TENKEN_INLINE V eight(const Real* x) {
  return convert_lanes<V>(load<Vec<Real, width>>(x));
}

double folded(const V& v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }

}  // namespace

template <class Real>
double dot(Range r, const Real* x, const Real* y) {
  V sum[vectors] = {};
  std::int64_t i = r.first;
  for (; i + chains <= r.last; i += chains) {
    for (int k = 0; k < vectors; ++k) sum[k] += eight(x + i + k * width) * eight(y + i + k * width);
  }
  for (int k = 0; i < r.last; ++i, ++k) {
    sum[k / width][k % width] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  }
  return folded((sum[0] + sum[2]) + (sum[1] + sum[3]));
}

double sum(Range r, const double* x) {
  constexpr int native = native_width<double>, at_once = 8;
  using N = Vec<double, native>;
  N sums[at_once] = {};
  std::int64_t i = r.first;
  for (; i + at_once * native <= r.last; i += at_once * native) {
    TENKEN_UNROLL
    for (int k = 0; k < at_once; ++k) sums[k] += load<N>(x + i + k * native);
  }
  double all = 0;
  for (const N& one : sums) {
    for (int l = 0; l < native; ++l) all += one[l];
  }
  for (; i < r.last; ++i) all += x[i];
  return all;
}

double sum_in_order(std::span<const double> numbers) {
  V sum = {};
  std::size_t i = 0;
  for (; i + width <= numbers.size(); i += width) sum += eight(numbers.data() + i);
  for (int k = 0; i < numbers.size(); ++i, ++k) sum[k] += numbers[i];
  return folded(sum);
}

Dots::Dots(std::int64_t n)
    : blocks_(n), parts_(static_cast<std::size_t>(blocks_.count()), Pages::any, "sums of blocks") {}

double Dots::sum() const { return sum_in_order({parts_.data(), parts_.size()}); }

template <class Real>
double Dots::operator()(const Real* x, const Real* y) {
  share(blocks_.count(), [&](Range mine) {
    for (std::int64_t b = mine.first; b < mine.last; ++b) part(b) = dot(blocks_[b], x, y);
  });
#pragma omp barrier
  const double all = sum();
#pragma omp barrier
  return all;
}

template double dot(Range, const double*, const double*);
template double dot(Range, const float*, const float*);
template double Dots::operator()(const double*, const double*);
template double Dots::operator()(const float*, const float*);

}  // namespace tenken
