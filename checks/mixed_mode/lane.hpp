// The messages of one thread, or of a whole rank: between two partners there and back, or to both neighbours in a ring.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>

namespace mixed_mode {

constexpr int directions = 2;

enum class Pattern { pingpong, halo };

// Who exchanges with whom. pingpong: ranks 0 and 1, 2 and 3 ...; a rank without partner has -1. halo: a ring.
struct Partners {
  Pattern pattern = Pattern::pingpong;
  int rank = 0;
  std::array<int, directions> to{};  // pingpong: the partner, and unused; halo: the upper and the lower neighbour

  bool idle() const { return to[0] < 0; }
  bool starts() const { return rank < to[0]; }  // of pingpong
  int used() const { return pattern == Pattern::pingpong ? 1 : directions; }
  // The rank whose words of direction d arrive here: halo: those that went upwards come from the lower neighbour.
  int from(int direction) const {
    return pattern == Pattern::pingpong ? to[0] : to[static_cast<std::size_t>(1 - direction)];
  }
};
Partners partners_of(Pattern pattern, int rank, int ranks);

class Lane {
 public:
  using Words = std::span<std::uint64_t>;

  // `out`, `in`: for each direction; a pingpong uses the first. Two lanes between the same ranks need different tags or
  // communicators. `persistent`: requests are made here once.
  Lane(MPI_Comm comm, int tag, const Partners& partners, const std::array<Words, directions>& out,
       const std::array<Words, directions>& in, bool persistent);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // pingpong: the lower rank sends and receives, the other receives and sends. halo: a message each way.
  void exchange();

 private:
  void pingpong();
  void halo();
  int bytes(const Words& words) const { return static_cast<int>(words.size_bytes()); }
  int tag(int direction) const { return directions * tag_ + direction; }

  MPI_Comm comm_;
  int tag_;
  Partners partners_;
  std::array<Words, directions> out_, in_;
  bool persistent_;
  std::array<MPI_Request, 2 * directions> requests_{};  // receives, then sends
};

}  // namespace mixed_mode
