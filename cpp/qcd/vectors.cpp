#include "qcd/vectors.hpp"

#include <algorithm>
#include <vector>

namespace tenken::qcd {

namespace {

constexpr std::int64_t reals = 2 * spins * colours;
static_assert(sizeof(Spinor) == reals * sizeof(double), "fields are summed as plain numbers");

const double* numbers(const Field& x) { return &x.data()->at[0][0].re; }
double* numbers(Field& x) { return &x.data()->at[0][0].re; }

// Sites added up one after another; blocks are added in their order.
constexpr std::int64_t block_sites = 128;

// Sum of x y over one block, in eight chains that a compiler may put into a vector without changing the result.
double block_dot(const double* x, const double* y, std::int64_t n) {
  constexpr int chains = 8;
  double sum[chains] = {};
  for (std::int64_t i = 0; i < n; i += chains) {
    for (int k = 0; k < chains; ++k) sum[k] += x[i + k] * y[i + k];
  }
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}
static_assert(reals % 8 == 0, "a site fills whole rounds of the chains");

double sum_of_products(const double* x, const double* y, std::int64_t sites) {
  const std::int64_t blocks = (sites + block_sites - 1) / block_sites;
  static thread_local std::vector<double> partial;  // kept, so that no timed call allocates
  partial.resize(static_cast<std::size_t>(blocks));
  double* const sums = partial.data();
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t first = b * block_sites;
    const std::int64_t count = std::min(block_sites, sites - first);
    sums[b] = block_dot(x + first * reals, y + first * reals, count * reals);
  }
  double sum = 0;
  for (std::int64_t b = 0; b < blocks; ++b) sum += sums[b];
  return sum;
}

}  // namespace

void axpy(double a, const Field& x, Field& y) {
  const double* const in = numbers(x);
  double* const out = numbers(y);
  const auto n = static_cast<std::int64_t>(y.size()) * reals;
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) out[i] += a * in[i];
}

void xpay(const Field& x, double a, Field& y) {
  const double* const in = numbers(x);
  double* const out = numbers(y);
  const auto n = static_cast<std::int64_t>(y.size()) * reals;
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) out[i] = in[i] + a * out[i];
}

void copy(const Field& from, Field& to) {
  const double* const in = numbers(from);
  double* const out = numbers(to);
  const auto n = static_cast<std::int64_t>(to.size()) * reals;
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) out[i] = in[i];
}

void gamma_5(const Field& in, Field& out) {
  const auto sites = static_cast<std::int64_t>(in.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t x = 0; x < sites; ++x) {
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) out[x].at[(s + 2) % spins][c] = in[x].at[s][c];
    }
  }
}

double dot(const Field& x, const Field& y, std::int64_t first, std::int64_t last) {
  return sum_of_products(numbers(x) + first * reals, numbers(y) + first * reals, last - first);
}

double norm2(const Field& x, std::int64_t first, std::int64_t last) { return dot(x, x, first, last); }

void axpy(const Complex<double>& a, const Field& x, Field& y) {
  const auto sites = static_cast<std::int64_t>(y.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < sites; ++i) {
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) y[i].at[s][c] = plus_product(y[i].at[s][c], a, x[i].at[s][c]);
    }
  }
}

Complex<double> complex_dot(const Field& x, const Field& y) {
  const auto sites = static_cast<std::int64_t>(x.size());
  const std::int64_t blocks = (sites + block_sites - 1) / block_sites;
  static thread_local std::vector<Complex<double>> partial;  // kept, so that no timed call allocates
  partial.resize(static_cast<std::size_t>(blocks));
  Complex<double>* const sums = partial.data();
#pragma omp parallel for schedule(static)
  for (std::int64_t b = 0; b < blocks; ++b) {
    double re[spins][colours] = {}, im[spins][colours] = {};
    for (std::int64_t i = b * block_sites; i < std::min((b + 1) * block_sites, sites); ++i) {
      for (int s = 0; s < spins; ++s) {
        for (int c = 0; c < colours; ++c) {
          const Complex<double>&left = x[i].at[s][c], &right = y[i].at[s][c];
          re[s][c] += left.re * right.re + left.im * right.im;
          im[s][c] += left.re * right.im - left.im * right.re;
        }
      }
    }
    sums[b] = {0, 0};
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) sums[b] = sums[b] + Complex<double>{re[s][c], im[s][c]};
    }
  }
  Complex<double> sum{0, 0};
  for (std::int64_t b = 0; b < blocks; ++b) sum = sum + sums[b];
  return sum;
}

}  // namespace tenken::qcd
