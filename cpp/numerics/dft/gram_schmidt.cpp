#include "numerics/dft/gram_schmidt.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/dft/linear_algebra.hpp"

namespace tenken::dft {

namespace {

constexpr std::int64_t leaf_bands = 4;
// Of a band's length; what is left below it is rounding.
constexpr double least_left = 1e-12;

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
bool GramSchmidt<Scalar>::operator()(std::int64_t count, std::int64_t points, double weight, Scalar* bands) {
  const Range rows = team_ != nullptr ? team_->share(points) : Range{0, points};
  points_ = points;
  rows_ = rows.size();
  weight_ = weight;
  bands_ = bands + rows.first;
  before_.clear();
  for (std::int64_t b = 0; b < count; ++b) before_.push_back(square(rows_, bands_ + b * points));
  if (team_ != nullptr) team_->add_up(before_.data(), before_.size());
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
void GramSchmidt<Scalar>::add_up(Scalar* numbers, std::int64_t n) {
  if (team_ == nullptr) return;
  team_->add_up(reinterpret_cast<double*>(numbers), static_cast<std::size_t>(n) * sizeof(Scalar) / sizeof(double));
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
    Scalar* const band = bands_ + b * points_;
    double left = square(rows_, band);
    if (team_ != nullptr) team_->add_up(&left, 1);
    independent = independent && left > least_left * least_left * before_[static_cast<std::size_t>(b)];
    const double scale = left > 0 ? 1 / std::sqrt(left * weight_) : 0;
    for (std::int64_t i = 0; i < rows_; ++i) band[i] *= scale;
    Scalar products[leaf_bands];
    for (std::int64_t c = b + 1; c < last; ++c) products[c - b - 1] = product(rows_, band, bands_ + c * points_);
    add_up(products, last - b - 1);
    for (std::int64_t c = b + 1; c < last; ++c)
      subtract(rows_, products[c - b - 1] * weight_, band, bands_ + c * points_);
  }
  return independent;
}

template <class Scalar>
void GramSchmidt<Scalar>::project(std::int64_t from, std::int64_t to, std::int64_t last) {
  overlap_.resize(static_cast<std::size_t>((to - from) * (last - to)));
  const Scalar* const done = bands_ + from * points_;
  Scalar* const rest = bands_ + to * points_;
  inner_products(rows_, to - from, last - to, weight_, done, points_, rest, points_, overlap_.data(), to - from);
  add_up(overlap_.data(), (to - from) * (last - to));
  combine(rows_, to - from, last - to, -1.0, done, points_, overlap_.data(), to - from, 1.0, rest, points_);
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
