// Messages between two ranks from the memory of a card of each, by MPI.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "device/device.hpp"
#include "messages.hpp"
#include "wrong.hpp"

namespace mpi_pt2pt {

// device: MPI gets addresses of the card. staged: a copy to pinned memory of the host, MPI, and a copy to the card.
// peer: no MPI, the runtime copies from card to card (peer_lane.hpp).
enum class Route { device, staged, peer };

Route route_of(std::string_view name);

// Bytes from the begin of a message to that of the next.
constexpr std::int64_t stride_of(std::int64_t size) { return (size + 63) / 64 * 64; }

class CardLane final : public Messages {
 public:
  CardLane(MPI_Comm comm, int partner, std::int64_t size, device::Device& card, bool staged, WrongPlace& place);

  void room(int count) override;
  void write(std::uint64_t sample, int count) override;
  std::int64_t wrong_after(Pattern pattern, std::uint64_t sample, int count) override;
  void spoil() override { card_.flip(received_.get()); }

  // Single messages block, messages of windows do not. A message has arrived when it is in the memory of the card.
  void round_trips(int count) override;
  void one_way(int windows, int window) override;
  void both_ways(int windows, int window) override;

 private:
  std::byte* at(const tenken::gpu::Memory& memory, int i) const { return memory.get() + size_.stride * i; }
  const std::byte* for_mpi(const tenken::gpu::Memory& on_card, int i);  // ready to be sent
  std::byte* from_mpi(int i) { return at(staged_ ? host_received_ : received_, i); }
  void to_card(int i);  // what has come into from_mpi(i); queued
  void send(const tenken::gpu::Memory& on_card, int i);
  void receive(int i);
  void begin_sends(int first, int count);
  void begin_receives(int first, int count);
  void end_receives();
  void arrived();  // all that was queued by to_card

  device::Device& card_;
  bool staged_;
  WrongPlace& place_;
  device::Batch size_;
  int room_ = 0;
  tenken::gpu::Memory sent_, received_;            // on the card
  tenken::gpu::Memory host_sent_, host_received_;  // where the route is staged
  std::vector<MPI_Request> sends_, receives_;
  int first_received_ = 0;
};

}  // namespace mpi_pt2pt
