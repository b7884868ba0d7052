#include "size.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
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

// Available bytes for each rank: of its node, and of its card, which ranks of a node may share.
double memory_of_rank(tenken::Check& check, const device::Device* card) {
  const double of_node = static_cast<double>(tenken::available_memory_bytes()) / check.node_ranks();
  if (card == nullptr) return of_node;
  const tenken::gpu::Facts facts = card->facts();
  MPI_Comm node = MPI_COMM_NULL, sharing = MPI_COMM_NULL;
  MPI_Comm_split_type(check.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  const std::size_t id = std::hash<std::string>{}(facts.id.empty() ? facts.bus : facts.id);
  MPI_Comm_split(node, static_cast<int>(id % std::numeric_limits<int>::max()), 0, &sharing);
  int ranks = 1;
  MPI_Comm_size(sharing, &ranks);
  MPI_Comm_free(&sharing);
  MPI_Comm_free(&node);
  return std::min(of_node, static_cast<double>(facts.free_bytes) / ranks);
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

int equations(tenken::Check& check, const device::Device* card) {
  const auto n = check.parameters().integer("n");
  const auto percent = check.parameters().integer("percent_of_memory");
  const double seconds = check.parameters().real("solve_seconds");
  if (percent > 0 && seconds > 0.0) {
    tenken::refuse("--percent_of_memory and --solve_seconds both ask for a number of equations; give one of them");
  }
  if (percent > 0) {
    const double least = -check.max_over_ranks(-memory_of_rank(check, card));
    return equations_of_bytes(least * check.ranks() * static_cast<double>(percent) / 100.0);
  }
  if (seconds > 0.0) {
    const double slowest = -check.max_over_ranks(-product_rate());
    return equations_within(seconds, slowest * check.ranks());
  }
  return static_cast<int>(n);
}

}  // namespace hpl
