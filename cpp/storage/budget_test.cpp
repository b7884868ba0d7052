#include "storage/budget.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace tenken;
using namespace tenken::storage;

namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

TEST_CASE("10 % or 2 GiB stay free, the larger, unless a floor is stated") {
  CHECK(floor_of({.total = 100 * gib}, 0) == 10 * gib);
  CHECK(floor_of({.total = 10 * gib}, 0) == 2 * gib);
  CHECK(floor_of({.total = 100 * gib}, 4096) == 4096);
}

TEST_CASE("too much is refused with the size that fits") {
  const Space space{.total = 40 * gib, .free = 5 * gib};
  CHECK_NOTHROW(require_space(space, gib, 4 * gib, "/data"));
  CHECK_THROWS_WITH_AS(
      require_space(space, gib + 1, 4 * gib, "/data"),
      "root /data has 5 GiB free, of which 4 GiB stay free, and the case writes 1 GiB; at most 1 GiB fit: "
      "choose fewer bytes or a smaller --floor",
      UserError);
  CHECK_THROWS_WITH_AS(require_space(space, 1, 6 * gib, "/data"), doctest::Contains("at most 0 B fit"), UserError);
}

TEST_CASE("a quota binds where it is known") {
  const Space space{.total = 40 * gib, .free = 30 * gib, .quota = gib};
  CHECK_NOTHROW(require_space(space, gib, 4 * gib, "/data"));
  CHECK_THROWS_WITH_AS(require_space(space, 2 * gib, 4 * gib, "/data"),
                       "the quota on root /data leaves 1 GiB, and the case writes 2 GiB; choose fewer bytes",
                       UserError);
}

TEST_CASE("10 % of the free files stay free, where the system counts files") {
  const Space space{.total = 40 * gib, .free = 30 * gib, .files = 1000};
  CHECK_NOTHROW(require_files(space, 900, "/data"));
  CHECK_THROWS_WITH_AS(require_files(space, 901, "/data"),
                       "root /data has space for 1000 more files (inodes), of which 10 % stay free, and the case makes "
                       "901 files and folders; at most 900 fit: choose fewer files",
                       UserError);
  CHECK_NOTHROW(require_files({.total = 40 * gib, .free = 30 * gib}, 1 << 30, "/data"));
}

}  // namespace
