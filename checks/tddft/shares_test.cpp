#include "shares.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace tenken;
using namespace tenken::tddft;

TEST_CASE("shares follow weights and leave nothing out") {
  const Range all{0, 5};
  CHECK(shares_of(64, 5, {3, 1}, 2) == std::vector<dft::Share>{{{0, 48}, all}, {{48, 64}, all}});
  CHECK(shares_of(7, 5, {1}, 3) == std::vector<dft::Share>{{{0, 3}, all}, {{3, 5}, all}, {{5, 7}, all}});
  const auto shares = shares_of(10, 5, {2, 5, 4}, 3);
  CHECK(shares.front().k.first == 0);
  CHECK(shares.back().k.last == 10);
  for (std::size_t i = 1; i < shares.size(); ++i) CHECK(shares[i].k.first == shares[i - 1].k.last);
}

TEST_CASE("more ranks than k-points have each orbital once") {
  const auto three = shares_of(1, 16, {1}, 3);
  CHECK(three == std::vector<dft::Share>{{{0, 1}, {0, 6}}, {{0, 1}, {6, 11}}, {{0, 1}, {11, 16}}});
  CHECK(most_of(three) == dft::Share{{0, 1}, {0, 6}});
  for (int ranks = 5; ranks <= 12; ++ranks) {
    std::vector<int> times(4 * 3);
    for (const dft::Share& share : shares_of(4, 3, {1}, ranks)) {
      CHECK(share.orbitals() > 0);
      for (std::int64_t b = share.bands.first; b < share.bands.last; ++b)
        ++times[static_cast<std::size_t>(share.k.first * 3 + b)];
    }
    CHECK(times == std::vector<int>(12, 1));
  }
}

TEST_CASE("ranks and weights that do not fit are refused") {
  CHECK_THROWS_AS(shares_of(8, 5, {1, 2, 3}, 2), UserError);
  CHECK_THROWS_AS(shares_of(8, 5, {100, 1}, 2), UserError);
  CHECK_THROWS_AS(shares_of(1, 5, {1, 1}, 2), UserError);
  CHECK_THROWS_AS(shares_of(2, 5, {1}, 11), UserError);
}
