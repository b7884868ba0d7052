#include "variants.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "ref.hpp"

namespace NAME {
namespace {

TEST_CASE("the kernel of each variant that is built equals the twin") {
  int built = 0;
  for (const std::string_view variant : {"plain", @NAMES@}) {
    const Pass pass = pass_of(variant);
    if (pass == nullptr) continue;
    ++built;
    for (const std::size_t n : {0U, 1U, 7U, 4096U, 10000U}) {
      std::vector<double> x(n), y(n);
      fill(x, y);
      std::vector<double> expected = y;
      plain_axpy(factor, x, expected);
      pass(factor, x, y);
      CHECK(y == expected);
    }
  }
  CHECK(built >= 1);
}

}  // namespace
}  // namespace NAME
