#include "size.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "blas.hpp"
#include "measure/clock.hpp"

namespace hpl {

namespace {

// Two leading digits: the same size in launches whose measured rates differ a little.
int round_down(double n) {
  const double step = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(n, 1.0))) - 1.0));
  return static_cast<int>(std::max(1.0, std::floor(n / step) * step));
}

// Flop/s of this process with all of its threads, the best of three.
double product_rate() {
  constexpr int n = 1024;
  const std::vector<double> a(std::size_t{n} * n, 0.5);
  std::vector<double> c(a.size(), 0.0);
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 3; ++i) {
    const std::int64_t start = tenken::monotonic_ns();
    subtract_product(n, n, n, a.data(), n, a.data(), n, c.data(), n);
    best = std::min(best, tenken::monotonic_ns() - start);
  }
  return 2.0 * n * n * n / static_cast<double>(best) * 1e9;
}

}  // namespace

int equations_within(double seconds, double rate) {
  double low = 1.0, high = 4e6;
  while (high - low > 0.5) {
    const double middle = (low + high) / 2.0;
    (seconds_of(middle, rate) <= seconds ? low : high) = middle;
  }
  return round_down(low);
}

int equations_of_bytes(double bytes) { return round_down(std::sqrt(std::max(bytes, 8.0) / 8.0)); }

int equations(tenken::Check& check) {
  const auto n = check.parameters().integer("n");
  const auto percent = check.parameters().integer("percent_of_memory");
  const double seconds = check.parameters().real("solve_seconds");
  if (percent > 0 && seconds > 0.0) {
    tenken::refuse("--percent_of_memory and --solve_seconds both ask for a number of equations; give one of them");
  }
  if (percent > 0) {
    const double each = static_cast<double>(tenken::available_memory_bytes()) / check.node_ranks();
    const double least = -check.max_over_ranks(-each);
    return equations_of_bytes(least * check.ranks() * static_cast<double>(percent) / 100.0);
  }
  if (seconds > 0.0) {
    const double slowest = -check.max_over_ranks(-product_rate());
    return equations_within(seconds, slowest * check.ranks());
  }
  return static_cast<int>(n);
}

}  // namespace hpl
