// Messages of one size between this rank and its partner, in memory of the host (lane.hpp) or of cards (card_lane.hpp,
// peer_lane.hpp). No timing here.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace mpi_pt2pt {

enum class Pattern { round_trips, one_way, both_ways };

class Messages {
 public:
  // Several lanes between the same ranks need different tags.
  Messages(MPI_Comm comm, int partner, int tag) : comm_(comm), partner_(partner), tag_(tag) {
    MPI_Comm_rank(comm, &rank_);
    starts_ = rank_ < partner;
  }
  virtual ~Messages() = default;
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  bool starts() const { return starts_; }  // the lower rank sends first
  // How many ranks of the pair this rank acts for in the timed parts: itself, or both or none where one rank does all
  // copies.
  virtual int acts_for() const { return 1; }

  // Memory for `count` messages each way, each in lines of its own: nothing is sent twice, nothing is read from an old
  // copy. Untimed.
  virtual void room(int count) = 0;

  // Untimed: `write` fills the first `count` messages of this rank. `sample` makes contents differ from those of any
  // other sample; both partners say the same.
  virtual void write(std::uint64_t sample, int count) = 0;
  // Untimed, by both partners: bytes of the messages that arrived here in this pattern and are not what was written.
  virtual std::int64_t wrong_after(Pattern pattern, std::uint64_t sample, int count) = 0;

  // A byte of the first message that is here becomes another: what a fault plants.
  virtual void spoil() = 0;

  // Both partners have arrived and have their buffers ready.
  void meet() const {
    const auto send = [&] { MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag_, comm_); };
    const auto receive = [&] { MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag_, comm_, MPI_STATUS_IGNORE); };
    if (starts_) send();
    receive();
    if (!starts_) send();
  }

  // The timed parts; both partners call the same.
  virtual void round_trips(int count) = 0;              // the lower rank sends, the other sends back what came
  virtual void one_way(int windows, int window) = 0;    // the lower rank sends; an empty message answers each window
  virtual void both_ways(int windows, int window) = 0;  // both send a window and receive one, at once

 protected:
  MPI_Comm comm_;
  int rank_ = 0;
  int partner_;
  bool starts_ = false;
  int tag_;
};

}  // namespace mpi_pt2pt
