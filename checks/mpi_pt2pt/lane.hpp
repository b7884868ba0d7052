// Messages of one size between this rank and its partner, in one of three ways of MPI. No timing here.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "messages.hpp"

namespace mpi_pt2pt {

// blocking: MPI_Send, MPI_Recv, MPI_Sendrecv; nonblocking: MPI_Isend, MPI_Irecv, MPI_Waitall; persistent: requests that
// are made once and started again and again.
enum class Way { blocking, nonblocking, persistent };

Way way_of(std::string_view variant);

class Lane final : public Messages {
 public:
  // Several lanes between the same ranks need different tags.
  Lane(MPI_Comm comm, int partner, std::size_t size, Way way, int tag = 1);
  ~Lane() override;

  void room(int count) override;  // and persistent requests
  void write(std::uint64_t sample, int count) override;
  std::int64_t wrong_after(Pattern pattern, std::uint64_t sample, int count) override;
  // Untimed: `wrong` counts the bytes that are not what the partner wrote, `wrong_echo` those of own messages that did
  // not come back as they were.
  std::int64_t wrong(std::uint64_t sample, int count) const { return wrong_from(partner_, sample, count); }
  std::int64_t wrong_echo(std::uint64_t sample, int count) const { return wrong_from(rank_, sample, count); }

  void spoil() override { received_[0] ^= std::byte{1}; }

  void round_trips(int count) override;
  void one_way(int windows, int window) override;
  void both_ways(int windows, int window) override;
  void begin_swap(int i);  // timed: message i both ways; done here where the way is blocking,
  void end_swap(int i);    // else here

 private:
  std::int64_t wrong_from(int sender, std::uint64_t sample, int count) const;
  std::byte* out(int i) { return &sent_[stride_ * static_cast<std::size_t>(i)]; }
  std::byte* in(int i) { return &received_[stride_ * static_cast<std::size_t>(i)]; }
  void begin_sends(int first, int count);
  void begin_receives(int first, int count);
  void begin_echo(int i);
  void swap_blocking(int i);
  void free_requests();

  Way way_;
  int bytes_;
  std::size_t size_;
  std::size_t stride_;
  int room_ = 0;
  tenken::Buffer<std::byte> sent_;
  tenken::Buffer<std::byte> received_;
  std::vector<MPI_Request> send_, receive_, echo_;  // by message
};

}  // namespace mpi_pt2pt
