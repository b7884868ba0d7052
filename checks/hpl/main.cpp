#include <vector>

#include "blas.hpp"
#include "card_launch.hpp"
#include "measure/blas_threads.hpp"
#include "measure/check.hpp"
#include "systems.hpp"
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

void body(Check& check) {
  const BlasThreads blas(bound_processors(check.threads()), warm_up);
  blas.use(check.threads());
  check.library("blas", blas.description());
  if constexpr (this_check::built::cuda) {
    constexpr device::Form on_card{device::on_card::cards, device::on_card::make_device};
    if (check.variant() == "cuda") return launch_on_card(check, on_card);
  }
  Systems(check).run();
}

}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
