#include "counting.hpp"

#include <doctest/doctest.h>
#include <omp.h>

using namespace iccg;

TEST_CASE("directives and barriers, counted while the variants run, are those of the paper's table 2") {
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    for (std::size_t v = 0; v < published.size(); ++v) {
      const Directives counted = directives_of(static_cast<Sync>(v), published_colours);
      for (std::size_t n = 0; n < Directives::names.size(); ++n) {
        CAPTURE(threads);
        CAPTURE(v);
        CAPTURE(Directives::names[n]);
        CHECK(counted.of[n] == published[v].of[n]);
      }
    }
  }
}

TEST_CASE("every other colour costs the baseline a shared loop forward, backward and in the product") {
  omp_set_num_threads(2);
  const Directives few = directives_of(Sync::baseline, 4), more = directives_of(Sync::baseline, 5);
  CHECK(more.of[2] - few.of[2] == 3);
  CHECK(more.of[6] - few.of[6] == 3);
  CHECK(directives_of(Sync::rm_reduction, 5).of[5] - directives_of(Sync::rm_reduction, 4).of[5] == 2);
}
