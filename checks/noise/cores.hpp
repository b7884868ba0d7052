// All cores at work at once, each with its detours.
#pragma once

#include <cstdint>
#include <vector>

#include "detours.hpp"
#include "measure/clock.hpp"
#include "measure/record_table.hpp"

namespace noise {

// A rhythm that a fault plants on the last core.
struct Planted {
  double every_us = 0;  // 0: none
  double length_us = 0;
};

class Cores {
 public:
  Cores(int threads, double quantum_us, double least_us, Planted planted);

  int quanta() const { return quanta_; }  // of a batch, on each core
  void batch();                           // to be timed
  void take_over();                       // finds the detours of the batch
  void forget();                          // what was found so far

  std::int64_t wrong() const;
  double lost_share() const;          // of the time of all cores
  double detours_per_second() const;  // of a core
  double quantum_us() const;          // median over cores of their last batch

  // A row for each processor, a column for each size of detours: how many a second, and what share of the time they
  // took.
  tenken::Table rates() const;
  tenken::Table shares() const;

  struct OfCore {
    int cpu = 0;
    std::vector<Period> periods;
  };
  std::vector<OfCore> periods() const;
  std::vector<double> seconds() const;  // that each core was watched

 private:
  struct alignas(256) Core {
    int cpu = 0;
    std::int64_t wrong = 0;
    std::vector<std::int64_t> begin, end;  // ticks of each quantum of the batch
    std::vector<Detour> detours;
    double quantum = 0;     // us
    double watched = 0;     // us at work
    std::int64_t next = 0;  // planted: ticks
  };
  tenken::Table table(const char* name, const char* unit, bool share) const;

  tenken::Clock clock_;
  double us_per_tick_;
  double least_us_;
  Planted planted_;
  std::int64_t steps_ = 0;
  std::uint64_t answer_ = 0;
  int quanta_ = 0;
  std::int64_t first_ = 0;
  std::vector<Core> cores_;
};

}  // namespace noise
