#include "lane.hpp"

namespace mixed_mode {

Partners partners_of(Pattern pattern, int rank, int ranks) {
  if (pattern == Pattern::halo) return {pattern, rank, {(rank + 1) % ranks, (rank + ranks - 1) % ranks}};
  const int partner = rank % 2 == 0 ? rank + 1 : rank - 1;
  return {pattern, rank, {partner < ranks ? partner : -1, -1}};
}

Lane::Lane(MPI_Comm comm, int tag, const Partners& partners, const std::array<Words, directions>& out,
           const std::array<Words, directions>& in, bool persistent)
    : comm_(comm), tag_(tag), partners_(partners), out_(out), in_(in), persistent_(persistent) {
  requests_.fill(MPI_REQUEST_NULL);
  if (!persistent || partners.idle()) return;
  for (int d = 0; d < partners.used(); ++d) {
    const auto at = static_cast<std::size_t>(d);
    MPI_Recv_init(in_[at].data(), bytes(in_[at]), MPI_BYTE, partners.from(d), this->tag(d), comm, &requests_[at]);
    MPI_Send_init(out_[at].data(), bytes(out_[at]), MPI_BYTE, partners.to[at], this->tag(d), comm,
                  &requests_[static_cast<std::size_t>(directions + d)]);
  }
}

Lane::~Lane() {
  if (!persistent_) return;
  for (MPI_Request& request : requests_) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

void Lane::exchange() {
  if (partners_.idle()) return;
  if (partners_.pattern == Pattern::pingpong) {
    pingpong();
  } else {
    halo();
  }
}

void Lane::pingpong() {
  const int partner = partners_.to[0];
  const auto send = [&] {
    if (!persistent_) {
      MPI_Send(out_[0].data(), bytes(out_[0]), MPI_BYTE, partner, tag(0), comm_);
      return;
    }
    MPI_Start(&requests_[directions]);
    MPI_Wait(&requests_[directions], MPI_STATUS_IGNORE);
  };
  const auto receive = [&] {
    if (!persistent_) {
      MPI_Recv(in_[0].data(), bytes(in_[0]), MPI_BYTE, partner, tag(0), comm_, MPI_STATUS_IGNORE);
      return;
    }
    MPI_Start(requests_.data());
    MPI_Wait(requests_.data(), MPI_STATUS_IGNORE);
  };
  if (partners_.starts()) {
    send();
    receive();
  } else {
    receive();
    send();
  }
}

void Lane::halo() {
  if (persistent_) {
    MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
  } else {
    for (int d = 0; d < directions; ++d) {
      const auto at = static_cast<std::size_t>(d);
      MPI_Irecv(in_[at].data(), bytes(in_[at]), MPI_BYTE, partners_.from(d), tag(d), comm_, &requests_[at]);
    }
    for (int d = 0; d < directions; ++d) {
      const auto at = static_cast<std::size_t>(d);
      MPI_Isend(out_[at].data(), bytes(out_[at]), MPI_BYTE, partners_.to[at], tag(d), comm_,
                &requests_[directions + at]);
    }
  }
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

}  // namespace mixed_mode
