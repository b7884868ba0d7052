// What the OpenMP runtime is asked for by the first thread, counted while it runs: its entry points are taken over by
// functions of the same names in this program, which count and go on to the runtime's own. GNU libgomp (GOMP_*) and
// LLVM libomp (__kmpc_*).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "solver.hpp"

namespace iccg {

struct Calls {
  std::int64_t regions = 0;     // parallel regions
  std::int64_t combined = 0;    // of them those that are one shared loop
  std::int64_t loops = 0;       // shared loops inside of regions
  std::int64_t ends = 0;        // of them those that wait at their end
  std::int64_t reductions = 0;  // combined results of threads
  std::int64_t explicit_barriers = 0;

  Calls operator-(const Calls& other) const {
    return {regions - other.regions, combined - other.combined,     loops - other.loops,
            ends - other.ends,       reductions - other.reductions, explicit_barriers - other.explicit_barriers};
  }
};

// Those of the thread that calls, until now.
Calls calls();

// An iteration in the words of the paper's table.
struct Directives {
  static constexpr std::array<std::string_view, 7> names{
      "parallel do", "parallel", "do", "do nowait", "reduction clause", "barrier (explicit)", "barrier (implicit)"};
  std::array<std::int64_t, 7> of{};
  bool operator==(const Directives&) const = default;
};

constexpr Directives directives(const Calls& c) {
  return {{c.combined, c.regions - c.combined, c.ends, c.loops - c.ends, c.reductions, c.explicit_barriers,
           c.regions + c.ends}};
}

// Table 2 of the paper, at 12 colours, in the order of Sync.
constexpr std::array<Directives, 5> published{{{{5, 3, 35, 0, 3, 0, 43}},
                                               {{5, 3, 23, 12, 3, 0, 31}},
                                               {{0, 0, 28, 12, 3, 1, 28}},
                                               {{0, 0, 3, 0, 3, 26, 3}},
                                               {{0, 0, 0, 0, 0, 29, 0}}}};
constexpr int published_colours = 12;

// One iteration of a variant, run on a small mesh with so many colours (2 and more).
Directives directives_of(Sync sync, int colours);

}  // namespace iccg
