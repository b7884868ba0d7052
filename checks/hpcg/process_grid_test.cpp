#include "process_grid.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using namespace tenken;
using namespace tenken::hpcg;

TEST_CASE("grids are those of the reference of the benchmark") {
  // From the reference, version 3.1; the rule agrees with it on 1 to 20,000 ranks.
  const std::vector<std::pair<int, Index<3>>> published = {
      {1, {1, 1, 1}},  {2, {2, 1, 1}},  {3, {3, 1, 1}},  {4, {2, 2, 1}},  {5, {5, 1, 1}},     {6, {2, 3, 1}},
      {8, {2, 2, 2}},  {12, {2, 3, 2}}, {16, {4, 2, 2}}, {18, {2, 3, 3}}, {24, {2, 4, 3}},    {30, {2, 3, 5}},
      {36, {4, 3, 3}}, {48, {4, 4, 3}}, {60, {4, 3, 5}}, {96, {4, 4, 6}}, {100, {4, 5, 5}},   {128, {8, 4, 4}},
      {64, {4, 4, 4}}, {7, {7, 1, 1}},  {14, {2, 7, 1}}, {42, {2, 3, 7}}, {1024, {16, 8, 8}}, {1000, {10, 10, 10}},
  };
  for (const auto& known : published) {
    INFO(known.first);
    CHECK(reference_grid(known.first) == known.second);
  }
}

TEST_CASE("a grid has every rank once") {
  for (int ranks = 1; ranks <= 2000; ++ranks) {
    INFO(ranks);
    CHECK(product(reference_grid(ranks)) == ranks);
  }
}
