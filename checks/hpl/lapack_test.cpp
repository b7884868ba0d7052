// Against LAPACK, which shares no code with the elimination. Looked up at run time: nothing else needs it.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "blas.hpp"
#include "matrix.hpp"
#include "ref.hpp"

using namespace hpl;

namespace {

using Dgesv = void(const int* n, const int* nrhs, double* a, const int* lda, int* pivots, double* b, const int* ldb,
                   int* info);

Dgesv* lapack() {
  void* symbol = dlsym(RTLD_DEFAULT, "dgesv_");
  if (symbol == nullptr) {
    if (void* const library = dlopen("liblapack.so.3", RTLD_NOW)) symbol = dlsym(library, "dgesv_");
  }
  return reinterpret_cast<Dgesv*>(symbol);
}

}  // namespace

TEST_CASE("the plain elimination has LAPACK's pivots and solution") {
  Dgesv* const dgesv = lapack();
  if (dgesv == nullptr) {
    MESSAGE("no LAPACK was found: not compared");
    return;
  }
  for (const Pattern pattern : {Pattern::random, Pattern::swaps}) {
    const int n = 500, one = 1;
    const Elements elements(n, pattern);
    std::vector<double> a, b;
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i < n; ++i) (j < n ? a : b).push_back(elements.column(j)(i));
    }
    std::vector<double> system = a, x;
    system.insert(system.end(), b.begin(), b.end());
    std::vector<int> pivots, theirs(n);
    reference(n, system, x, pivots);
    int info = -1;
    dgesv(&n, &one, a.data(), &n, theirs.data(), b.data(), &n, &info);
    REQUIRE(info == 0);
    double most = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(theirs[i] == pivots[i] + 1);
      most = std::max(most, std::abs(x[i] - b[i]));
      size = std::max(size, std::abs(b[i]));
    }
    CHECK(most < 1e-10 * size);
  }
}
