// All message sizes of this rank and its partner, by turns in the three patterns: round trips, one way, both ways.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "lane.hpp"
#include "measure/check.hpp"

namespace mpi_pt2pt {

// Messages under way at once: `most`, of large ones as many as make 4 MiB, two at least.
constexpr int window_of(std::int64_t size, std::int64_t most) {
  constexpr std::int64_t bytes = 4 << 20;
  const std::int64_t fitting = bytes / size < 2 ? 2 : bytes / size;
  return static_cast<int>(most < fitting ? most : fitting);
}

class Curve {
 public:
  // Collective over the ranks of `check`. Chooses for each size and pattern how many make a sample of about 0.1 ms.
  Curve(tenken::Check& check, int partner, Way way);

  void pass();  // one sample of each size and pattern, all pairs at once

  std::int64_t wrong() const { return wrong_; }  // bytes that came here and are not what was sent

 private:
  struct OfSize {
    OfSize(MPI_Comm comm, int partner, std::int64_t bytes, Way way, std::int64_t most)
        : lane(comm, partner, static_cast<std::size_t>(bytes), way), size(bytes), window(window_of(bytes, most)) {}
    Lane lane;
    std::int64_t size;
    int window;
    int round_trips = 1;
    int one_way = 1;  // windows
    int both_ways = 1;
  };

  void exchange(OfSize& one, int index);
  void one_way(OfSize& one, int index);
  void both_ways(OfSize& one, int index);

  tenken::Check& check_;
  bool idle_;
  int passes_ = 1;
  bool spoil_ = false;
  std::deque<OfSize> all_;
  std::uint64_t sample_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace mpi_pt2pt
