#include <cmath>
#include <numeric>
#include <vector>

#include "kernel.hpp"
#include "measure/check.hpp"
#include "measure/section.hpp"
#include "this_check.hpp"
using namespace tenken;
namespace {
using Sum = double (*)(int, const double*);
Sum kernel(std::string_view variant) {
  if constexpr (this_check::built::fortran) {
    if (variant == "fortran") return toy_sum_fortran;
  }
  if constexpr (this_check::built::cuda) {
    if (variant == "cuda") return toy::sum_cuda;
  }
  return toy::sum;
}
void body(Check& check) {
  const int n = static_cast<int>(check.parameters().integer("n"));
  std::vector<double> x(n);
  std::iota(x.begin(), x.end(), 1.0);
  double s = 0;
  check.repeat([&](int) {
    Section timed{this_check::section::sum, {.flop = n}};
    s = kernel(check.variant())(n, x.data());
  });
  check.prove(this_check::validity::sum, std::abs(s / (0.5 * n * (n + 1.0)) - 1));
}
}  // namespace
int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
