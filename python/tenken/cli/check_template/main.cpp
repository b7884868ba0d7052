#include <cstdint>

#include "base/buffer.hpp"
#include "kernel.hpp"
#include "measure/check.hpp"
#include "proof.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace NAME {
namespace {

void body(tenken::Check& check) {
  const std::int64_t n = check.parameters().integer("size") / static_cast<std::int64_t>(sizeof(double));
  const auto bytes = 2.0 * static_cast<double>(n) * sizeof(double);
  check.require_memory(bytes, "NAME");
  tenken::Buffer<double> x(static_cast<std::size_t>(n), tenken::Pages::any, "x");
  tenken::Buffer<double> y(static_cast<std::size_t>(n), tenken::Pages::any, "y");
  fill(x, y);

  int passes = 0;
  check.repeat([&](int) {
    tenken::Section s{this_check::section::axpy, axpy_work(n)};
    axpy(factor, x, y);
    ++passes;
  });

  if (check.fault("lost_update")) y[y.size() - 1] -= factor * x[x.size() - 1];
  const auto wrong = static_cast<double>(wrong_elements(y, passes));
  check.prove(this_check::validity::closed_form, check.sum_over_ranks(wrong));
  check.value("working_set_bytes", "B", bytes * check.ranks());
}

}  // namespace
}  // namespace NAME

int main(int argc, char** argv) {
  // Parameters, ranks, record, exit code: cpp/measure/check.hpp.
  return tenken::run_check(argc, argv, this_check::table, NAME::body);
}
