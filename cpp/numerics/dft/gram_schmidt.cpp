#include "numerics/dft/gram_schmidt.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/dft/linear_algebra.hpp"

namespace tenken::dft {

namespace {

constexpr std::int64_t leaf_bands = 4;
// Of a band's length; what is left below it is rounding.
constexpr double rounding_left = 1e-12;
constexpr std::int64_t large = 64;  // bands

using Part = InPhase<GramSchmidtPart>;

// A product and a sum of two numbers.
template <class Scalar>
constexpr std::int64_t flop = sizeof(Scalar) == sizeof(double) ? 2 : 8;

// Of the pairs of n bands that are halved in turn: those in large products.
std::int64_t large_pairs(std::int64_t n) {
  const std::int64_t half = n / 2;
  if (half < large) return 0;
  return 2 * half * (n - half) + large_pairs(half) + large_pairs(n - half);
}

double square(std::int64_t points, const Complex* a) {
  const auto* numbers = reinterpret_cast<const double*>(a);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < 2 * points; ++i) sum += numbers[i] * numbers[i];
  return sum;
}

double square(std::int64_t points, const double* a) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < points; ++i) sum += a[i] * a[i];
  return sum;
}

Complex product(std::int64_t points, const Complex* a, const Complex* b) {
  double re = 0, im = 0;
#pragma omp simd reduction(+ : re, im)
  for (std::int64_t i = 0; i < points; ++i) {
    re += a[i].real() * b[i].real() + a[i].imag() * b[i].imag();
    im += a[i].real() * b[i].imag() - a[i].imag() * b[i].real();
  }
  return {re, im};
}

double product(std::int64_t points, const double* a, const double* b) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < points; ++i) sum += a[i] * b[i];
  return sum;
}

void subtract(std::int64_t points, Complex factor, const Complex* a, Complex* b) {
  const double re = factor.real(), im = factor.imag();
#pragma omp simd
  for (std::int64_t i = 0; i < points; ++i)
    b[i] -= Complex{re * a[i].real() - im * a[i].imag(), re * a[i].imag() + im * a[i].real()};
}

void subtract(std::int64_t points, double factor, const double* a, double* b) {
#pragma omp simd
  for (std::int64_t i = 0; i < points; ++i) b[i] -= factor * a[i];
}

}  // namespace

template <class Scalar>
bool GramSchmidt<Scalar>::operator()(std::int64_t count, std::int64_t points, std::int64_t extra, double weight,
                                     Scalar* bands) {
  const Range rows = team_ != nullptr ? team_->share(points) : Range{0, points};
  stride_ = points + extra;
  rows_ = rows.size();
  all_rows_ = rows_ + extra;
  weight_ = weight;
  bands_ = bands + rows.first;
  least_left_ = 1;
  {
    const Part leaf(watch_, GramSchmidtPart::leaf, {.flop = flop<Scalar> * (count * rows_)});
    before_.clear();
    for (std::int64_t b = 0; b < count; ++b) before_.push_back(square(rows_, bands_ + b * stride_));
  }
  sum(GramSchmidtPart::leaf_sum, before_.data(), before_.size());
  bool independent = true;
  for (std::int64_t first = 0; first < count; first += block_) {
    const std::int64_t last = std::min(count, first + block_);
    // Of one block after the other, so that both factors of the products are of its size.
    independent = within(first, last) && independent;
    if (last < count) project(first, last, count);
  }
  return independent;
}

template <class Scalar>
void GramSchmidt<Scalar>::sum(GramSchmidtPart part, double* numbers, std::size_t n) {
  if (team_ != nullptr) team_->add_up(numbers, n);
  if (!reduce_) return;
  const auto bytes = static_cast<std::int64_t>(n * sizeof(double));
  const Part summed(watch_, part, {.bytes_read = bytes, .bytes_written = bytes, .messages = 1});
  reduce_(numbers, n);
}

template <class Scalar>
void GramSchmidt<Scalar>::add_up(GramSchmidtPart part, Scalar* numbers, std::int64_t n) {
  sum(part, reinterpret_cast<double*>(numbers), static_cast<std::size_t>(n) * sizeof(Scalar) / sizeof(double));
}

template <class Scalar>
bool GramSchmidt<Scalar>::within(std::int64_t first, std::int64_t last) {
  if (last - first <= leaf_bands) return leaf(first, last);
  const std::int64_t middle = first + (last - first) / 2;
  const bool left = within(first, middle);
  project(first, middle, last);
  return within(middle, last) && left;
}

template <class Scalar>
bool GramSchmidt<Scalar>::leaf(std::int64_t first, std::int64_t last) {
  bool independent = true;
  for (std::int64_t b = first; b < last; ++b) {
    Scalar* const band = bands_ + b * stride_;
    const std::int64_t others = last - b - 1;
    double left = 0;
    {
      const Part part(watch_, GramSchmidtPart::leaf, {.flop = flop<Scalar> * (rows_)});
      left = square(rows_, band);
    }
    sum(GramSchmidtPart::leaf_sum, &left, 1);
    Scalar products[leaf_bands];
    {
      const Part part(watch_, GramSchmidtPart::leaf, {.flop = flop<Scalar> * (rows_ * others)});
      const double before = before_[static_cast<std::size_t>(b)];
      independent = independent && left > rounding_left * rounding_left * before;
      least_left_ = std::min(least_left_, left > 0 ? std::sqrt(left / before) : 0);
      const double scale = left > 0 ? 1 / std::sqrt(left * weight_) : 0;
      for (std::int64_t i = 0; i < all_rows_; ++i) band[i] *= scale;
      for (std::int64_t c = b + 1; c < last; ++c) products[c - b - 1] = product(rows_, band, bands_ + c * stride_);
    }
    if (others == 0) continue;
    add_up(GramSchmidtPart::leaf_sum, products, others);
    const Part part(watch_, GramSchmidtPart::leaf, {.flop = flop<Scalar> * (all_rows_ * others)});
    for (std::int64_t c = b + 1; c < last; ++c)
      subtract(all_rows_, products[c - b - 1] * weight_, band, bands_ + c * stride_);
  }
  return independent;
}

template <class Scalar>
void GramSchmidt<Scalar>::project(std::int64_t from, std::int64_t to, std::int64_t last) {
  const std::int64_t products = (to - from) * (last - to);
  overlap_.resize(static_cast<std::size_t>(products));
  const Scalar* const done = bands_ + from * stride_;
  Scalar* const rest = bands_ + to * stride_;
  {
    const Part part(watch_, GramSchmidtPart::overlap, {.flop = flop<Scalar> * (products * rows_)});
    inner_products(rows_, to - from, last - to, weight_, done, stride_, rest, stride_, overlap_.data(), to - from);
  }
  add_up(GramSchmidtPart::overlap_sum, overlap_.data(), products);
  const Part part(watch_, GramSchmidtPart::update, {.flop = flop<Scalar> * (products * all_rows_)});
  combine(all_rows_, to - from, last - to, -1.0, done, stride_, overlap_.data(), to - from, 1.0, rest, stride_);
}

double large_product_share(std::int64_t count, std::int64_t block) {
  std::int64_t pairs = 0;
  for (std::int64_t first = 0; first < count; first += block) {
    const std::int64_t own = std::min(block, count - first), later = count - first - own;
    if (std::min(own, later) >= large) pairs += 2 * own * later;
    pairs += large_pairs(own);
  }
  return static_cast<double>(pairs) / static_cast<double>(count * count);
}

template <class Scalar>
void gram_schmidt_plain(std::int64_t count, std::int64_t points, double weight, Scalar* bands) {
  for (std::int64_t b = 0; b < count; ++b) {
    Scalar* const band = bands + b * points;
    for (std::int64_t a = 0; a < b; ++a) {
      const Scalar* const other = bands + a * points;
      subtract(points, product(points, other, band) * weight, other, band);
    }
    const double scale = 1 / std::sqrt(square(points, band) * weight);
    for (std::int64_t i = 0; i < points; ++i) band[i] *= scale;
  }
}

template class GramSchmidt<double>;
template class GramSchmidt<Complex>;
template void gram_schmidt_plain(std::int64_t, std::int64_t, double, double*);
template void gram_schmidt_plain(std::int64_t, std::int64_t, double, Complex*);

}  // namespace tenken::dft
