#include "qcd/lanes/link_storage.hpp"

#include <doctest/doctest.h>

using namespace tenken::qcd;

namespace {

constexpr LinkStorage twice{18, 2}, once{18, 1}, rows{12, 2}, least{12, 1};
constexpr double mib = 1 << 20, plenty = 1e9;

// Bytes of a cache that so many numbers of 8 bytes just fit.
constexpr double fits(double numbers) { return numbers * 8 / 0.8 * (1 + 1e-12); }

// With room for so many numbers a site in a last level that is near.
LinkStorage near(double numbers, const LinkWish& wish) {
  return link_storage_by_rule(wish, {0, fits(numbers), 1 * mib});
}

// With room for so many in the second level, beside a last one that is far.
LinkStorage far(double numbers, const LinkWish& wish) {
  return link_storage_by_rule(wish, {fits(numbers), plenty, 1.25 * mib});
}

}  // namespace

TEST_CASE("18 numbers are kept where the cache that feeds hops holds them") {
  for (const auto& chosen : {near, far}) {
    CHECK(chosen(144 + 48, {}) == twice);
    CHECK(chosen(143 + 48, {}) == once);
    CHECK(chosen(72 + 48, {}) == once);
    CHECK(chosen(71 + 48, {}) == least);
    CHECK(chosen(48 + 48, {}) == least);
    CHECK(chosen(72 + 24, {.real_bytes = 4}) == twice);
  }
}

TEST_CASE("beyond that cache 12 numbers are one stream from the last level, and once from memory") {
  const auto of_last = [](double numbers) { return link_storage_by_rule({}, {fits(95), fits(numbers), 2 * mib}); };
  CHECK(far(95, {}) == rows);
  CHECK(of_last(96 + 48) == rows);
  CHECK(of_last(95 + 48) == least);
  CHECK(near(95, {}) == least);
  CHECK(link_storage_by_rule({}, {}) == least);  // of a system that tells nothing
}

TEST_CASE("several right-hand sides have links twice") {
  CHECK(near(144 + 12 * 48, {.together = 12}) == twice);
  CHECK(near(143 + 12 * 48, {.together = 12}) == rows);
  CHECK(near(0, {.together = 2}) == rows);
}

TEST_CASE("what is asked for is kept") {
  for (const auto& chosen : {near, far}) {
    CHECK(chosen(0, {.links = "18", .storage = "twice"}) == twice);
    CHECK(chosen(0, {.links = "18", .storage = "once"}) == once);
    CHECK(chosen(plenty, {.links = "12", .storage = "once"}) == least);
    CHECK(chosen(plenty, {.links = "12"}) == rows);
    CHECK(chosen(143, {.links = "12"}) == least);
    CHECK(chosen(120, {.links = "18"}) == once);
    CHECK(chosen(120, {.storage = "once"}) == once);
    CHECK(chosen(119, {.storage = "once"}) == least);
    CHECK(chosen(191, {.storage = "twice"}) == rows);
  }
  CHECK(near(119, {.links = "18"}) == once);
  CHECK(far(119, {.links = "18"}) == twice);
}
