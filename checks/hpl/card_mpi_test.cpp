// The variant `cuda` with its updates in loops on the host: on every grid the solution and the pivots of the
// processors.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "eliminate.hpp"
#include "gpu/launch.hpp"
#include "measure/open_sections.hpp"
#include "solve.hpp"
#include "this_check.hpp"

using namespace hpl;

namespace {

struct Answer {
  std::vector<double> x;
  std::vector<int> pivots;
};

Answer eliminated(const Grid& grid, const Elements& elements, int nb, Route route, int depth, device::Device* card,
                  int solves = 1) {
  Matrix matrix(grid, elements.n(), nb);
  Elimination elimination(grid, matrix, nb, route, depth, card);
  for (int i = 0; i < solves; ++i) {
    matrix.fill(elements);
    elimination.run();
  }
  return {solve(grid, matrix, nb), elimination.pivots()};
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return most / size;
}

}  // namespace

TEST_CASE("updates on a card give the pivots and the solution of the processors on every grid") {
  const tenken::OpenSections sections(this_check::table);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto card = device::on_host::make_device(0);
  for (int p = 1; p <= ranks; ++p) {
    if (ranks % p != 0) continue;
    CAPTURE(p);
    const Grid grid(MPI_COMM_WORLD, p, ranks / p);
    for (const int n : {1, 48, 131}) {
      CAPTURE(n);
      for (const int nb : {5, 16, 200}) {
        for (int depth = 0; depth <= 2; ++depth) {
          tenken::gpu::falling_threads(depth == 1);
          const Elements elements(n, depth == 2 ? Pattern::random : Pattern::swaps);
          const Route route = depth == 0 ? Route::tree : depth == 1 ? Route::ring : Route::spread;
          const Answer expected = eliminated(grid, elements, nb, route, depth, nullptr);
          const Answer got = eliminated(grid, elements, nb, route, depth, card.get(), 2);
          CHECK(got.pivots == expected.pivots);
          CHECK(difference(got.x, expected.x) < 1e-10);
        }
      }
    }
  }
  tenken::gpu::falling_threads(false);
}
