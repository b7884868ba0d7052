#include "peer_lane.hpp"

#include "payload.hpp"

namespace mpi_pt2pt {

PeerLane::PeerLane(MPI_Comm comm, int partner, std::int64_t size, device::Device& card, device::Device* other,
                   WrongPlace& place)
    : Messages(comm, partner, 1), place_(place), near_{&card, {}, {}}, far_{other, {}, {}} {
  size_.bytes = size;
  size_.stride = stride_of(size);
}

void PeerLane::room(int count) {
  if (count <= room_ || !starts_) return;
  room_ = count;
  const auto bytes = static_cast<std::size_t>(size_.stride * count);
  for (Side* side : {&far_, &near_}) {
    side->card->select();
    side->sent.reset();
    side->received.reset();
    side->sent = side->card->on_card(bytes);
    side->received = side->card->on_card(bytes);
  }
}

void PeerLane::write(std::uint64_t sample, int count) {
  if (!starts_) return;
  device::Batch batch = size_;
  batch.count = count;
  batch.first = message_of(partner_, sample, 0);
  far_.card->select();
  far_.card->write(far_.sent.get(), batch);
  batch.first = message_of(rank_, sample, 0);
  near_.card->select();
  near_.card->write(near_.sent.get(), batch);
}

device::Wrong PeerLane::compare(Side& side, int sender, std::uint64_t sample, int count, bool spoil) {
  device::Batch batch = size_;
  batch.count = count;
  batch.first = message_of(sender, sample, 0);
  side.card->select();
  if (spoil) side.card->flip(side.received.get());
  const device::Wrong wrong = side.card->wrong(side.received.get(), batch);
  near_.card->select();
  return wrong;
}

std::int64_t PeerLane::wrong_after(Pattern pattern, std::uint64_t sample, int count) {
  std::int64_t answer[3] = {};
  int spoil = spoil_ ? 1 : 0;
  spoil_ = false;
  if (!starts_) {
    MPI_Send(&spoil, 1, MPI_INT, partner_, tag_, comm_);
    MPI_Recv(answer, 3, MPI_INT64_T, partner_, tag_, comm_, MPI_STATUS_IGNORE);
    place_.see({answer[0], answer[1], answer[2]}, size_.bytes);
    return answer[0];
  }
  MPI_Recv(&spoil, 1, MPI_INT, partner_, tag_, comm_, MPI_STATUS_IGNORE);
  const device::Wrong far = compare(far_, rank_, sample, count, spoil != 0);
  const std::int64_t sent[3] = {far.bytes, far.message, far.word};
  MPI_Send(sent, 3, MPI_INT64_T, partner_, tag_, comm_);
  if (pattern == Pattern::one_way) return 0;
  const device::Wrong near = compare(near_, pattern == Pattern::round_trips ? rank_ : partner_, sample, count, false);
  place_.see(near, size_.bytes);
  return near.bytes;
}

void PeerLane::copy(Side& from, const tenken::gpu::Memory& source, Side& to, int i) {
  from.card->copy_to(*to.card, at(to.received, i), at(source, i), static_cast<std::size_t>(size_.bytes));
}

void PeerLane::round_trips(int count) {
  if (!starts_) return;
  for (int i = 0; i < count; ++i) {
    copy(near_, near_.sent, far_, i);
    near_.card->wait_out();
    copy(far_, far_.received, near_, i);
    far_.card->wait_out();
  }
}

void PeerLane::one_way(int windows, int window) {
  if (!starts_) return;
  for (int first = 0; first < windows * window; first += window) {
    for (int i = first; i < first + window; ++i) copy(near_, near_.sent, far_, i);
    near_.card->wait_out();
  }
}

void PeerLane::both_ways(int windows, int window) {
  if (!starts_) return;
  for (int first = 0; first < windows * window; first += window) {
    for (int i = first; i < first + window; ++i) {
      copy(near_, near_.sent, far_, i);
      copy(far_, far_.sent, near_, i);
    }
    near_.card->wait_out();
    far_.card->wait_out();
  }
}

}  // namespace mpi_pt2pt
