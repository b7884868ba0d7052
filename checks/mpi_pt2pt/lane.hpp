// Messages of one size between this rank and its partner, in one of three ways of MPI. No timing here.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"

namespace mpi_pt2pt {

// blocking: MPI_Send, MPI_Recv, MPI_Sendrecv; nonblocking: MPI_Isend, MPI_Irecv, MPI_Waitall; persistent: requests that
// are made once and started again and again.
enum class Way { blocking, nonblocking, persistent };

Way way_of(std::string_view variant);

class Lane {
 public:
  // Several lanes between the same ranks need different tags.
  Lane(MPI_Comm comm, int partner, std::size_t size, Way way, int tag = 1);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  bool starts() const { return starts_; }  // the lower rank sends first
  int partner() const { return partner_; }

  // Memory, and persistent requests, for `count` messages each way, each in lines of its own: nothing is sent twice,
  // nothing is read from an old copy. Untimed.
  void room(int count);

  // Untimed: `write` fills the first `count` messages of this rank, `wrong` counts the bytes that are not what the
  // partner wrote, `wrong_echo` those of own messages that did not come back as they were. `sample` makes contents
  // differ from those of any other sample; both partners say the same.
  void write(std::uint64_t sample, int count);
  std::int64_t wrong(std::uint64_t sample, int count) const { return wrong_from(partner_, sample, count); }
  std::int64_t wrong_echo(std::uint64_t sample, int count) const { return wrong_from(rank_, sample, count); }

  // A byte of the first message that is here becomes another: what a fault plants.
  void spoil() { received_[0] ^= std::byte{1}; }

  void meet() const;  // both partners have arrived and have their buffers ready

  // The timed parts; both partners call the same.
  void round_trips(int count);              // the lower rank sends, the other sends back what came
  void one_way(int windows, int window);    // the lower rank sends; an empty message answers each window
  void both_ways(int windows, int window);  // both send a window and receive one, at once
  void begin_swap(int i);                   // message i both ways; done here where the way is blocking,
  void end_swap(int i);                     // else here

 private:
  std::int64_t wrong_from(int sender, std::uint64_t sample, int count) const;
  std::byte* out(int i) { return &sent_[stride_ * static_cast<std::size_t>(i)]; }
  std::byte* in(int i) { return &received_[stride_ * static_cast<std::size_t>(i)]; }
  void begin_sends(int first, int count);
  void begin_receives(int first, int count);
  void begin_echo(int i);
  void swap_blocking(int i);
  void free_requests();

  MPI_Comm comm_;
  int rank_ = 0;
  int partner_;
  bool starts_ = false;
  Way way_;
  int tag_;
  int bytes_;
  std::size_t size_;
  std::size_t stride_;
  int room_ = 0;
  tenken::Buffer<std::byte> sent_;
  tenken::Buffer<std::byte> received_;
  std::vector<MPI_Request> send_, receive_, echo_;  // by message
};

}  // namespace mpi_pt2pt
