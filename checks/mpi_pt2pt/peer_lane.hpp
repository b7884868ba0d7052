// Messages from the memory of a card to that of another card of the node, copied by the runtime. The lower rank of a
// pair does all copies, on both cards; its partner waits.
#pragma once

#include <cstdint>

#include "card_lane.hpp"
#include "device/device.hpp"
#include "messages.hpp"

namespace mpi_pt2pt {

class PeerLane final : public Messages {
 public:
  // `other`: the card of the partner, used by this process; null on the higher rank.
  PeerLane(MPI_Comm comm, int partner, std::int64_t size, device::Device& card, device::Device* other,
           WrongPlace& place);

  int acts_for() const override { return starts_ ? 2 : 0; }
  void room(int count) override;
  void write(std::uint64_t sample, int count) override;  // by the lower rank, of both
  // The lower rank compares on both cards. The higher one is given the answer of its card.
  std::int64_t wrong_after(Pattern pattern, std::uint64_t sample, int count) override;
  void spoil() override { spoil_ = true; }  // when compared next

  void round_trips(int count) override;
  void one_way(int windows, int window) override;
  void both_ways(int windows, int window) override;

 private:
  struct Side {
    device::Device* card;
    tenken::gpu::Memory sent, received;
  };

  std::byte* at(const tenken::gpu::Memory& memory, int i) const { return memory.get() + size_.stride * i; }
  void copy(Side& from, const tenken::gpu::Memory& source, Side& to, int i);  // queued
  device::Wrong compare(Side& side, int sender, std::uint64_t sample, int count, bool spoil);

  WrongPlace& place_;
  device::Batch size_;
  int room_ = 0;
  Side near_, far_;
  bool spoil_ = false;
};

}  // namespace mpi_pt2pt
