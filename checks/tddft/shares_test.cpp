#include "shares.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace tenken;
using namespace tenken::tddft;

TEST_CASE("shares follow weights and leave nothing out") {
  CHECK(shares_of(64, {3, 1}, 2) == std::vector<Range>{{0, 48}, {48, 64}});
  CHECK(shares_of(7, {1}, 3) == std::vector<Range>{{0, 3}, {3, 5}, {5, 7}});
  const auto shares = shares_of(10, {2, 5, 4}, 3);
  CHECK(shares.front().first == 0);
  CHECK(shares.back().last == 10);
  for (std::size_t i = 1; i < shares.size(); ++i) CHECK(shares[i].first == shares[i - 1].last);
}

TEST_CASE("weights that do not fit are refused") {
  CHECK_THROWS_AS(shares_of(8, {1, 2, 3}, 2), UserError);
  CHECK_THROWS_AS(shares_of(8, {100, 1}, 2), UserError);
  CHECK_THROWS_AS(shares_of(2, {1}, 3), UserError);
}
