#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "blas.hpp"
#include "eliminate.hpp"
#include "measure/blas_threads.hpp"
#include "measure/check.hpp"
#include "size.hpp"
#include "solve.hpp"
#include "this_check.hpp"

namespace {

using namespace tenken;
using namespace hpl;

void warm_up() {
  constexpr int n = 384;
  const std::vector<double> a(std::size_t{n} * n, 1.0);
  std::vector<double> c(a.size());
  subtract_product(n, n, n, a.data(), n, a.data(), n, c.data(), n);
}

Pattern pattern_of(const Check& check) {
  const std::string name = check.parameters().text("matrix");
  return name == "swaps" ? Pattern::swaps : name == "singular" ? Pattern::singular : Pattern::random;
}

void body(Check& check) {
  const auto integer = [&](const char* name) { return static_cast<int>(check.parameters().integer(name)); };
  const BlasThreads blas(bound_processors(check.threads()), warm_up);
  blas.use(check.threads());
  check.library("blas", blas.description());
  const int p = integer("p") > 0   ? integer("p")
                : integer("q") > 0 ? check.ranks() / integer("q")
                                   : rows_of_squarest(check.ranks());
  const int q = integer("q") > 0 ? integer("q") : check.ranks() / std::max(p, 1);
  const Grid grid(check.comm(), p, q);
  const int n = equations(check), nb = integer("nb");
  if (nb > n) {
    refuse("--nb " + std::to_string(nb) + " is more than the " + std::to_string(n) +
           " equations; choose at most --nb " + std::to_string(n));
  }
  const double memory = Matrix::bytes(n, nb, p, q) + Elimination::bytes(n, nb, p, q);
  check.require_memory(memory, "hpl");
  check.value("memory_bytes", "B", memory);

  const Elements elements(n, pattern_of(check));
  Matrix matrix(grid, n, nb);
  Elimination elimination(grid, matrix, nb, check.parameters().text("broadcast") == "ring" ? Route::ring : Route::tree);
  const Faults faults{check.fault("wrong_pivot"), check.fault("stale_panel")};
  double worst = 0.0;
  check.repeat([&](int) {
    matrix.fill(elements);
    MPI_Barrier(check.comm());
    std::vector<double> x;
    {
      const Section lu{this_check::section::lu};
      elimination.run(faults);
      const Section s{this_check::section::lu_solve, solve_work(grid, matrix)};
      x = solve(grid, matrix, nb);
    }
    worst = std::max(worst, scaled_residual(grid, nb, elements, x));
  });
  check.prove(this_check::validity::residual, check.max_over_ranks(worst));
  check.value("equations", "1", n);
  check.value("grid_rows", "1", p);
  check.value("grid_columns", "1", q);
  check.value("working_set_bytes", "B", 8.0 * n * (n + 1.0));
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
