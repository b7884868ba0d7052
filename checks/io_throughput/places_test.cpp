// The calls of all ranks tile their files; settings that do not fit are refused.
#include "places.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "base/error.hpp"
#include "settings.hpp"
#include "this_check.hpp"

using namespace io_throughput;
using tenken::UserError;

namespace {

// How often each byte of the file is written, in units of 8 bytes.
std::vector<int> written(Layout layout, int ranks, std::int64_t bytes, std::int64_t transfer) {
  std::vector<int> times(static_cast<std::size_t>(bytes * (layout == Layout::file_a_rank ? 1 : ranks) / 8));
  for (int rank = 0; rank < (layout == Layout::file_a_rank ? 1 : ranks); ++rank) {
    const Places places{layout, rank, ranks, bytes, transfer};
    for (std::int64_t call = 0; call < places.calls(); ++call) {
      for (std::int64_t i = 0; i < places.length(call) / 8; ++i)
        ++times.at(static_cast<std::size_t>(places.at(call) / 8 + i));
    }
  }
  return times;
}

TEST_CASE("every byte of a file is written once") {
  for (const Layout layout : {Layout::file_a_rank, Layout::segmented, Layout::strided}) {
    for (const int ranks : {1, 2, 3, 7}) {
      for (const std::int64_t transfer : {8, 64, 512}) {
        const std::vector<int> times = written(layout, ranks, 1024, transfer);
        CHECK(times == std::vector<int>(times.size(), 1));
      }
      if (layout == Layout::strided) continue;
      const std::vector<int> times = written(layout, ranks, 1000, 64);  // the last call is shorter
      CHECK(times == std::vector<int>(times.size(), 1));
    }
  }
}

TEST_CASE("strided calls of ranks take turns, segments lie one behind the other") {
  CHECK(Places{Layout::strided, 1, 3, 4096, 512}.at(2) == 7 * 512);
  CHECK(Places{Layout::segmented, 1, 3, 4096, 512}.at(2) == 4096 + 2 * 512);
  CHECK(Places{Layout::file_a_rank, 1, 3, 4096, 512}.at(2) == 2 * 512);
  CHECK(Places{Layout::file_a_rank, 5, 9, 4096, 512}.file() == "data.5");
}

Settings settings(std::vector<const char*> words, int ranks = 2) {
  words.insert(words.begin(), "io_throughput");
  const tenken::Parameters parameters(this_check::table, static_cast<int>(words.size()), words.data());
  return settings_of(parameters, 0, ranks);
}

TEST_CASE("settings that do not fit are refused in a sentence") {
  CHECK(settings({}).places.calls() == 64);
  CHECK_THROWS_WITH_AS(settings({"--bytes", "1MiB", "--transfer", "2MiB"}), doctest::Contains("is larger than --bytes"),
                       UserError);
  CHECK_THROWS_WITH_AS(settings({"--bytes", "8196"}), doctest::Contains("must be multiples of 8"), UserError);
  CHECK_THROWS_WITH_AS(settings({"--layout", "strided", "--bytes", "1000000", "--transfer", "64KiB"}),
                       doctest::Contains("ranks that take turns"), UserError);
  CHECK_THROWS_WITH_AS(settings({"--variant", "mpiio", "--cache", "direct"}),
                       doctest::Contains("no way to ask for O_DIRECT"), UserError);
  CHECK_THROWS_WITH_AS(settings({"--variant", "mpiio", "--fault", "slow_root"}),
                       doctest::Contains("choose --variant posix"), UserError);
  CHECK_THROWS_AS(settings({}, 20000), UserError);
}

TEST_CASE("direct calls lie on multiples of the alignment") {
  CHECK_NOTHROW(
      require_aligned({Layout::file_a_rank, 0, 2, 10000, 8192}, 4096));  // the last part goes without O_DIRECT
  CHECK_THROWS_WITH_AS(require_aligned({Layout::file_a_rank, 0, 2, 10000, 5000}, 4096),
                       doctest::Contains("--transfer 5000 is no multiple of 4096"), UserError);
  CHECK_THROWS_WITH_AS(require_aligned({Layout::segmented, 0, 2, 10000, 8192}, 4096), doctest::Contains("segments"),
                       UserError);
}

}  // namespace
