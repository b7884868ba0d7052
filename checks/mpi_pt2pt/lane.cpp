#include "lane.hpp"

#include "payload.hpp"

namespace mpi_pt2pt {

namespace {

constexpr std::size_t line = 64;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void wait_for(std::vector<MPI_Request>& requests, int first, int count) {
  MPI_Waitall(count, &requests[at(first)], MPI_STATUSES_IGNORE);
}

}  // namespace

Way way_of(std::string_view variant) {
  return variant == "nonblocking" ? Way::nonblocking : variant == "persistent" ? Way::persistent : Way::blocking;
}

Lane::Lane(MPI_Comm comm, int partner, std::size_t size, Way way, int tag)
    : Messages(comm, partner, tag),
      way_(way),
      bytes_(static_cast<int>(size)),
      size_(size),
      stride_((size + line - 1) / line * line) {}

Lane::~Lane() { free_requests(); }

void Lane::free_requests() {
  for (auto* requests : {&send_, &receive_, &echo_}) {
    for (MPI_Request& request : *requests) {
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
    requests->clear();
  }
}

void Lane::room(int count) {
  if (count <= room_) return;
  free_requests();
  room_ = count;
  sent_ = {};  // given back before more is taken
  received_ = {};
  sent_ = {stride_ * at(count), tenken::Pages::any, "the messages of mpi_pt2pt"};
  received_ = {stride_ * at(count), tenken::Pages::any, "the messages of mpi_pt2pt"};
  for (auto* requests : {&send_, &receive_, &echo_}) requests->assign(at(count), MPI_REQUEST_NULL);
  if (way_ != Way::persistent) return;
  for (int i = 0; i < count; ++i) {
    MPI_Send_init(out(i), bytes_, MPI_BYTE, partner_, tag_, comm_, &send_[at(i)]);
    MPI_Recv_init(in(i), bytes_, MPI_BYTE, partner_, tag_, comm_, &receive_[at(i)]);
    MPI_Send_init(in(i), bytes_, MPI_BYTE, partner_, tag_, comm_, &echo_[at(i)]);
  }
}

void Lane::write(std::uint64_t sample, int count) {
  for (int i = 0; i < count; ++i) write_payload(out(i), size_, message_of(rank_, sample, i));
}

std::int64_t Lane::wrong_from(int sender, std::uint64_t sample, int count) const {
  std::int64_t bytes = 0;
  for (int i = 0; i < count; ++i)
    bytes += wrong_bytes(&received_[stride_ * at(i)], size_, message_of(sender, sample, i));
  return bytes;
}

std::int64_t Lane::wrong_after(Pattern pattern, std::uint64_t sample, int count) {
  if (pattern == Pattern::round_trips && starts_) return wrong_echo(sample, count);
  return pattern == Pattern::one_way && starts_ ? 0 : wrong(sample, count);
}

void Lane::begin_sends(int first, int count) {
  if (way_ == Way::persistent) {
    MPI_Startall(count, &send_[at(first)]);
    return;
  }
  for (int i = first; i < first + count; ++i) MPI_Isend(out(i), bytes_, MPI_BYTE, partner_, tag_, comm_, &send_[at(i)]);
}

void Lane::begin_receives(int first, int count) {
  if (way_ == Way::persistent) {
    MPI_Startall(count, &receive_[at(first)]);
    return;
  }
  for (int i = first; i < first + count; ++i)
    MPI_Irecv(in(i), bytes_, MPI_BYTE, partner_, tag_, comm_, &receive_[at(i)]);
}

void Lane::begin_echo(int i) {
  if (way_ == Way::persistent) {
    MPI_Start(&echo_[at(i)]);
  } else {
    MPI_Isend(in(i), bytes_, MPI_BYTE, partner_, tag_, comm_, &echo_[at(i)]);
  }
}

void Lane::round_trips(int count) {
  for (int i = 0; i < count; ++i) {
    if (way_ == Way::blocking) {
      if (starts_) MPI_Send(out(i), bytes_, MPI_BYTE, partner_, tag_, comm_);
      MPI_Recv(in(i), bytes_, MPI_BYTE, partner_, tag_, comm_, MPI_STATUS_IGNORE);
      if (!starts_) MPI_Send(in(i), bytes_, MPI_BYTE, partner_, tag_, comm_);
      continue;
    }
    begin_receives(i, 1);
    if (starts_) {
      begin_sends(i, 1);
      wait_for(send_, i, 1);
    }
    wait_for(receive_, i, 1);
    if (starts_) continue;
    begin_echo(i);
    wait_for(echo_, i, 1);
  }
}

void Lane::one_way(int windows, int window) {
  for (int first = 0; first < windows * window; first += window) {
    if (starts_) {
      if (way_ == Way::blocking) {
        for (int i = first; i < first + window; ++i) MPI_Send(out(i), bytes_, MPI_BYTE, partner_, tag_, comm_);
      } else {
        begin_sends(first, window);
        wait_for(send_, first, window);
      }
      MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag_, comm_, MPI_STATUS_IGNORE);
      continue;
    }
    if (way_ == Way::blocking) {
      for (int i = first; i < first + window; ++i)
        MPI_Recv(in(i), bytes_, MPI_BYTE, partner_, tag_, comm_, MPI_STATUS_IGNORE);
    } else {
      begin_receives(first, window);
      wait_for(receive_, first, window);
    }
    MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag_, comm_);
  }
}

void Lane::swap_blocking(int i) {
  MPI_Sendrecv(out(i), bytes_, MPI_BYTE, partner_, tag_, in(i), bytes_, MPI_BYTE, partner_, tag_, comm_,
               MPI_STATUS_IGNORE);
}

void Lane::both_ways(int windows, int window) {
  for (int first = 0; first < windows * window; first += window) {
    if (way_ == Way::blocking) {
      for (int i = first; i < first + window; ++i) swap_blocking(i);
      continue;
    }
    begin_receives(first, window);
    begin_sends(first, window);
    wait_for(receive_, first, window);
    wait_for(send_, first, window);
  }
}

void Lane::begin_swap(int i) {
  if (way_ == Way::blocking) {
    swap_blocking(i);
  } else {
    begin_receives(i, 1);
    begin_sends(i, 1);
  }
}

void Lane::end_swap(int i) {
  if (way_ == Way::blocking) return;
  wait_for(receive_, i, 1);
  wait_for(send_, i, 1);
}

}  // namespace mpi_pt2pt
