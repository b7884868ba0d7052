#include "numerics/read_streams.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace tenken;

TEST_CASE("any number of streams reads each number of a range once") {
  std::vector<double> x(5000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 1009);  // sums of integers are exact
  for (const std::int64_t first : {0, 3, 64}) {
    for (const std::int64_t size : {0, 1, 7, 8, 63, 64, 65, 127, 512, 1000, 4001}) {
      double expected = 0;
      for (std::int64_t i = first; i < first + size; ++i) expected += x[static_cast<std::size_t>(i)];
      for (const int streams : {1, 2, 3, 4, 7, 8}) {
        INFO(first << " " << size << " " << streams);
        CHECK(sum_of_streams({first, first + size}, x.data(), streams) == expected);
      }
    }
  }
}
