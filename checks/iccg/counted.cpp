// The variants again, so that their loops call the runtime of OpenMP, where calls are counted.
#define ICCG_NAMESPACE counted
#define ICCG_SCHEDULE dynamic
// GNU's compiler combines numbers in place, and calls the runtime for what it does not know; LLVM's always calls.
#if defined(__clang__)
#define ICCG_SUM double
#else
#define ICCG_SUM iccg::Sum
#endif

namespace iccg {
// A sum whose type the compiler does not know.
struct Sum {
  double value = 0;
  Sum& operator+=(double x) { return value += x, *this; }
  operator double() const { return value; }
};
}  // namespace iccg

#pragma omp declare reduction(+ : iccg::Sum : omp_out.value += omp_in.value)

#include "counting.hpp"
#include "numerics/poisson.hpp"
#include "variants.hpp"

namespace iccg {

Directives directives_of(Sync sync, int colours) {
  // As many levels as colours at least, so that CM-RCM has them all.
  const int cells = colours;
  const tenken::Csr<double> a = tenken::poisson_matrix(cells, cells, cells);
  const tenken::Coloured m = make_coloured(a, cm_rcm(a, colours), 1);
  const std::vector<double> b(static_cast<std::size_t>(a.rows), 1.0);
  State state(m, b, {});
  const auto calls_of = [&](int iterations) {
    state.start();
    const Calls before = calls();
    counted::advance(sync, state, iterations, 0, nullptr);
    return calls() - before;
  };
  // What is paid once for all iterations is in both.
  const Calls fewer = calls_of(2);
  return directives(calls_of(3) - fewer);
}

}  // namespace iccg
