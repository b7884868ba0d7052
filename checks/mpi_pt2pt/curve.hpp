// All message sizes of this rank and its partner, by turns in the three patterns: round trips, one way, both ways.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "measure/check.hpp"
#include "messages.hpp"

namespace mpi_pt2pt {

// Messages under way at once: `most`, of large ones as many as make 4 MiB, two at least.
constexpr int window_of(std::int64_t size, std::int64_t most) {
  constexpr std::int64_t bytes = 4 << 20;
  const std::int64_t fitting = bytes / size < 2 ? 2 : bytes / size;
  return static_cast<int>(most < fitting ? most : fitting);
}

// The sections of the three patterns.
struct CurveSections {
  tenken::Leaf exchange, one_way, both_ways;
};

using MakeMessages = std::function<std::unique_ptr<Messages>(std::int64_t size)>;

class Curve {
 public:
  // Collective over the ranks of `check`. Chooses for each size and pattern how many make a sample of about 0.1 ms.
  // `make` is called for each size in turn.
  Curve(tenken::Check& check, int partner, const MakeMessages& make, const CurveSections& sections);

  void pass();  // one sample of each size and pattern, all pairs at once

  std::int64_t wrong() const { return wrong_; }  // bytes that came here and are not what was sent

 private:
  struct OfSize {
    std::unique_ptr<Messages> lane;
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
  CurveSections sections_;
  bool idle_;
  int passes_ = 1;
  bool spoil_ = false;
  std::deque<OfSize> all_;
  std::uint64_t sample_ = 0;
  std::int64_t wrong_ = 0;
};

}  // namespace mpi_pt2pt
