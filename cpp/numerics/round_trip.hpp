// The round trip of a cache line between two threads: how far apart two cores are. On virtual machines it flips between
// two values within the hour, and everything that threads tell each other with it; whoever times that asks before and
// after. No timing here: the caller's clock stands around `run`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace tenken {

class RoundTrips {
 public:
  // Runs `trips` round trips; call with starts = true on one thread and false on the other, at the same time. Both
  // spin. Returns the messages that were not the expected ones: 0.
  std::int64_t by_sequence(bool starts, int trips) {
    std::uint64_t turn = turn_[starts ? 0 : 1].value;
    std::int64_t wrong = 0;
    for (int i = 0; i < trips; ++i) {
      ++turn;
      if (starts) go_.word.store(turn, std::memory_order_release);
      wrong += wait_for_change(starts ? ack_.word : go_.word, turn - 1) == turn ? 0 : 1;
      if (!starts) ack_.word.store(turn, std::memory_order_release);
    }
    turn_[starts ? 0 : 1].value = turn;
    return wrong;
  }

  // As T. Hanawa et al. (IPSJ SIG HPC, 2017, Fig. 6): the waiting thread captures the line, writing 0, until it holds a
  // message. An exchange takes the line for itself at each look.
  std::int64_t by_capture(bool starts, int trips) {
    std::int64_t wrong = 0;
    for (int i = 1; i <= trips; ++i) {
      const auto message = static_cast<std::uint64_t>(i);
      if (starts) go_capture_.word.store(message, std::memory_order_release);
      wrong += capture(starts ? ack_capture_.word : go_capture_.word) == message ? 0 : 1;
      if (!starts) ack_capture_.word.store(message, std::memory_order_release);
    }
    return wrong;
  }

 private:
  static constexpr std::size_t apart = 256;  // bytes: no prefetcher moves two of these lines together
  static constexpr int patience = 20000;  // looks, about 10 us: then the other is not running, and may need this core
  struct alignas(apart) Line {
    std::atomic<std::uint64_t> word{0};
  };
  struct alignas(apart) Own {
    std::uint64_t value = 0;
  };

  static std::uint64_t wait_for_change(const std::atomic<std::uint64_t>& line, std::uint64_t from) {
    for (int looks = 0;; ++looks) {
      const std::uint64_t found = line.load(std::memory_order_acquire);
      if (found != from) return found;
      if (looks > patience) std::this_thread::yield();
    }
  }
  static std::uint64_t capture(std::atomic<std::uint64_t>& line) {
    for (int looks = 0;; ++looks) {
      const std::uint64_t found = line.exchange(0, std::memory_order_acq_rel);
      if (found != 0) return found;
      if (looks > patience) std::this_thread::yield();
    }
  }

  Line go_, ack_, go_capture_, ack_capture_;
  Own turn_[2];
};

// The same by lines in many places, one after the other. Where a shared cache has parts, a line's address tells its
// part at random, and a round trip is longer by the way there: lines of one place would tell of it, and not of the
// cores.
class ScatteredRoundTrips {
 public:
  RoundTrips& at(std::int64_t sample) { return places_[static_cast<std::size_t>(sample) % places_.size()]; }

 private:
  std::vector<RoundTrips> places_ = std::vector<RoundTrips>(61);  // prime: rounds over pairs meet all of them
};

}  // namespace tenken
