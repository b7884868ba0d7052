// Samples of all modes in turn, with the cost of their parts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "measure/check.hpp"
#include "measure/common_clock.hpp"
#include "modes.hpp"

namespace mixed_mode {

class Samples {
 public:
  // Collective. `provided`: the thread level of the MPI; modes that need a higher level are left out.
  Samples(tenken::Check& check, const Modes::Options& options, int samples, int provided);

  void pass(bool timed);  // collective

  bool measured(Mode mode) const { return allowed_[static_cast<std::size_t>(mode)]; }
  // ns of one exchange on all ranks together, of each timed sample.
  const std::vector<double>& ns(Mode mode) const { return ns_[static_cast<std::size_t>(mode)]; }
  const std::vector<double>& region_ns() const { return region_ns_; }  // of this rank: of one parallel region
  const std::vector<double>& touch_ns() const { return touch_ns_; }    // of writing and reading once
  int iterations() const { return iterations_; }
  const WrongWords& wrong() const { return modes_.wrong(); }
  // Of each thread of this rank: median time in us after the first thread at which it began its messages; empty where
  // `multiple` is not measured.
  std::vector<double> late_us() const;

 private:
  double timed_run(Mode mode);
  void count_entries();

  tenken::Check& check_;
  Modes modes_;
  int samples_;
  tenken::CommonClock clock_;
  std::array<bool, mixed_mode::modes> allowed_{};
  std::array<std::vector<double>, mixed_mode::modes> ns_;
  std::vector<double> region_ns_, touch_ns_;
  std::vector<std::vector<double>> late_;  // by thread
  int iterations_ = 2;
  std::int64_t sample_ = 0;
};

}  // namespace mixed_mode
