// The SELL product of the Poisson matrix against reading as many bytes, in turn:
//
//   sell_speed CELLS ROUNDS [C]
//
// CELLS^3 rows, double precision, all threads of OMP_NUM_THREADS; C rows in a chunk. Both are rates of the compulsory
// bytes of the product. Printed, one JSON object: GB/s, medians over the rounds.
#include <omp.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>

#include "base/error.hpp"
#include "in_turn.hpp"
#include "numerics/dots.hpp"
#include "numerics/poisson.hpp"
#include "numerics/sell.hpp"

namespace {

using namespace tenken;

// Each thread on a processor of its own: the n-th of those this process may use.
void bind_threads() {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
#pragma omp parallel
  {
    int left = omp_get_thread_num();
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (!CPU_ISSET(cpu, &allowed) || left-- > 0) continue;
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(cpu, &one);
      sched_setaffinity(0, sizeof one, &one);
      break;
    }
  }
}

void run(int argc, char** argv) {
  const auto number = [&](int at, int otherwise) { return argc > at ? std::atoi(argv[at]) : otherwise; };
  const int cells = number(1, 0), rounds = number(2, 0), c = number(3, native_width<double>);
  if (argc > 4 || cells < 1 || cells > 1000 || rounds < 1) refuse("usage: sell_speed CELLS ROUNDS [C]");
  bind_threads();
  const Csr<double> csr = poisson_matrix(cells, cells, cells);
  const Sell<double> a = make_sell(csr, c);
  auto x = make_array<double>(a.columns, "input"), y = make_array<double>(a.rows, "output");
  share_blocks(a.columns, [&](Range mine) {
    for (std::int64_t i = mine.first; i < mine.last; ++i) x[static_cast<std::size_t>(i)] = 1;
  });
  const Work work = sell_work(a.rows, a.columns, a.entries, sizeof(double));
  const std::int64_t bytes = work.bytes_read + work.bytes_written;
  const auto as_many = make_array<double>(bytes / 8, "numbers to read");

  double total = 0;
  const auto product = [&] { multiply(a, x.data(), y.data()); };
  const auto read = [&] {
#pragma omp parallel reduction(+ : total)
    total += sum(share_of(bytes / 8, omp_get_thread_num(), omp_get_num_threads()), as_many.data());
  };
  const Clock clock;
  const auto ticks = times_in_turn<2>(rounds, {product, read}, [] {});
  // 1 times the matrix: 2 in the rows of the last layer, 0 elsewhere.
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const double expected = i / (std::int64_t{cells} * cells) + 1 == cells ? 2 : 0;
    if (y[static_cast<std::size_t>(i)] != expected || total != 0) refuse("a product is wrong; this is a mistake here");
  }
  const auto rate = [&](const std::vector<double>& t) {
    return static_cast<double>(bytes) / (median(t) * clock.ns_per_tick());
  };
  std::printf("{\"threads\": %d, \"c\": %d, \"fill\": %.4f, \"bytes\": %lld, \"product\": %.2f, \"read\": %.2f}\n",
              omp_get_max_threads(), c, a.fill(), static_cast<long long>(bytes), rate(ticks[0]), rate(ticks[1]));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc, argv);
  } catch (const UserError& error) {
    std::fprintf(stderr, "sell_speed: %s\n", error.what());
    return 3;
  }
  return 0;
}
