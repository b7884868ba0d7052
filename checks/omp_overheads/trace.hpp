// What each thread itself spends in the body of a construct, waiting left out: a slow core shows in all of them, a
// thread that is held up in one construct only there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace omp_overheads {

constexpr int traced_instances = 16;  // of a construct, in each repetition
constexpr int traced_work = 500;      // dependent multiplications: about half a microsecond

class Trace {
 public:
  Trace(int threads, int repetitions);

  // Takes over the stamps of one run of the construct.
  void add(std::size_t construct);
  // Median ticks of each thread in the construct; NaN where it was never traced.
  std::vector<double> medians(std::size_t construct) const;

  std::int64_t& ticks(int thread, int instance) {
    return stamps_[static_cast<std::size_t>(thread)].ticks[static_cast<std::size_t>(instance)];
  }

 private:
  struct alignas(256) Stamps {
    std::array<std::int64_t, traced_instances> ticks{};
  };
  std::vector<Stamps> stamps_;                               // of each thread
  std::vector<std::vector<std::vector<std::int64_t>>> all_;  // [construct][thread]
};

// The same work on every thread, between two stamps; `held` loses `ticks` more (a fault).
struct Traced {
  Team& team;
  Trace& trace;
  int held = -1;
  std::int64_t ticks = 0;

  void operator()(int slot, int instance) const;
};

// A counting body that holds up one thread (a fault).
struct Held {
  Count count;
  int held;
  std::int64_t ticks;

  void operator()(int slot, int instance) const;
};

}  // namespace omp_overheads
