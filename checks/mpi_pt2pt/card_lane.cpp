#include "card_lane.hpp"

#include "payload.hpp"

namespace mpi_pt2pt {

Route route_of(std::string_view name) {
  return name == "peer" ? Route::peer : name == "staged" ? Route::staged : Route::device;
}

CardLane::CardLane(MPI_Comm comm, int partner, std::int64_t size, device::Device& card, bool staged, WrongPlace& place)
    : Messages(comm, partner, 1), card_(card), staged_(staged), place_(place) {
  size_.bytes = size;
  size_.stride = stride_of(size);
}

void CardLane::room(int count) {
  if (count <= room_) return;
  room_ = count;
  const auto bytes = static_cast<std::size_t>(size_.stride * count);
  for (tenken::gpu::Memory* memory : {&sent_, &received_, &host_sent_, &host_received_}) memory->reset();
  sent_ = card_.on_card(bytes);
  received_ = card_.on_card(bytes);
  if (!staged_) return;
  host_sent_ = card_.pinned(bytes);
  host_received_ = card_.pinned(bytes);
}

void CardLane::write(std::uint64_t sample, int count) {
  device::Batch batch = size_;
  batch.count = count;
  batch.first = message_of(rank_, sample, 0);
  card_.write(sent_.get(), batch);
}

std::int64_t CardLane::wrong_after(Pattern pattern, std::uint64_t sample, int count) {
  if (pattern == Pattern::one_way && starts_) return 0;
  device::Batch batch = size_;
  batch.count = count;
  batch.first = message_of(pattern == Pattern::round_trips && starts_ ? rank_ : partner_, sample, 0);
  const device::Wrong wrong = card_.wrong(received_.get(), batch);
  place_.see(wrong, size_.bytes);
  return wrong.bytes;
}

const std::byte* CardLane::for_mpi(const tenken::gpu::Memory& on_card, int i) {
  if (!staged_) return at(on_card, i);
  card_.copy_out(at(host_sent_, i), at(on_card, i), static_cast<std::size_t>(size_.bytes));
  card_.wait_out();
  return at(host_sent_, i);
}

void CardLane::to_card(int i) {
  if (staged_) card_.copy_in(at(received_, i), at(host_received_, i), static_cast<std::size_t>(size_.bytes));
}

void CardLane::arrived() {
  if (staged_) card_.wait_in();
}

void CardLane::send(const tenken::gpu::Memory& on_card, int i) {
  MPI_Send(for_mpi(on_card, i), static_cast<int>(size_.bytes), MPI_BYTE, partner_, tag_, comm_);
}

void CardLane::receive(int i) {
  MPI_Recv(from_mpi(i), static_cast<int>(size_.bytes), MPI_BYTE, partner_, tag_, comm_, MPI_STATUS_IGNORE);
  to_card(i);
  arrived();
}

void CardLane::begin_sends(int first, int count) {
  sends_.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    MPI_Isend(for_mpi(sent_, first + i), static_cast<int>(size_.bytes), MPI_BYTE, partner_, tag_, comm_,
              &sends_[static_cast<std::size_t>(i)]);
  }
}

void CardLane::begin_receives(int first, int count) {
  first_received_ = first;
  receives_.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    MPI_Irecv(from_mpi(first + i), static_cast<int>(size_.bytes), MPI_BYTE, partner_, tag_, comm_,
              &receives_[static_cast<std::size_t>(i)]);
  }
}

void CardLane::end_receives() {
  int i = first_received_;
  for (MPI_Request& request : receives_) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    to_card(i++);
  }
  arrived();
}

void CardLane::round_trips(int count) {
  for (int i = 0; i < count; ++i) {
    if (starts_) send(sent_, i);
    receive(i);
    if (!starts_) send(received_, i);
  }
}

void CardLane::one_way(int windows, int window) {
  for (int first = 0; first < windows * window; first += window) {
    if (starts_) {
      begin_sends(first, window);
      MPI_Waitall(window, sends_.data(), MPI_STATUSES_IGNORE);
      MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag_, comm_, MPI_STATUS_IGNORE);
    } else {
      begin_receives(first, window);
      end_receives();
      MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag_, comm_);
    }
  }
}

void CardLane::both_ways(int windows, int window) {
  for (int first = 0; first < windows * window; first += window) {
    begin_receives(first, window);
    begin_sends(first, window);
    end_receives();
    MPI_Waitall(window, sends_.data(), MPI_STATUSES_IGNORE);
  }
}

}  // namespace mpi_pt2pt
