// Rank 0 sends from each of its node's cores in turn, to a rank that stays where it is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lane.hpp"
#include "measure/check.hpp"

namespace mpi_pt2pt {

class Scan {
 public:
  // Collective over the two ranks of `check`; throws UserError (on both) for what cannot be scanned.
  Scan(tenken::Check& check, Way way);
  ~Scan();
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;

  void pass(bool timed);  // one sample of latency and of bandwidth from each core

  std::int64_t wrong() const { return wrong_; }

  // Values core_latency/CPU (us) and core_bandwidth/CPU (GB/s), medians over samples, and tables of the cards.
  void report() const;

 private:
  struct Samples {
    std::vector<double> latency_us;
    std::vector<double> bandwidth;  // GB/s
  };

  void take_places();
  Lane& large_on(int cpu);
  void visit(int cpu);

  tenken::Check& check_;
  Way way_;
  int home_;   // of this rank
  int other_;  // home of the other one, -1 where it is on another node
  std::vector<int> cpus_;
  std::map<int, int> numa_;  // by processor
  Lane small_;
  std::map<int, std::unique_ptr<Lane>> large_;  // by memory node: its messages are written and kept there
  std::map<int, Samples> samples_;
  std::uint64_t sample_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace mpi_pt2pt
