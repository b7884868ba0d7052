#include "parallel/requests.hpp"

#include <limits>
#include <string>

#include "base/error.hpp"

namespace tenken {

namespace {

int message_length(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    refuse("an exchange of " + std::to_string(bytes) +
           " bytes with one neighbour is larger than one MPI message (2 GiB); use more ranks");
  }
  return static_cast<int>(bytes);
}

}  // namespace

Requests::Requests(MPI_Comm comm) { MPI_Comm_dup(comm, &comm_); }

Requests::~Requests() {
  for (MPI_Request& request : receives_) MPI_Request_free(&request);
  for (MPI_Request& request : sends_) MPI_Request_free(&request);
  MPI_Comm_free(&comm_);
}

void Requests::receive(int rank, int tag, std::byte* into, std::size_t bytes) {
  MPI_Recv_init(into, message_length(bytes), MPI_BYTE, rank, tag, comm_, &receives_.emplace_back());
}

void Requests::send(int rank, int tag, const std::byte* from, std::size_t bytes) {
  MPI_Send_init(from, message_length(bytes), MPI_BYTE, rank, tag, comm_, &sends_.emplace_back());
  bytes_ += static_cast<std::int64_t>(bytes);
}

void Requests::start() {
  if (!receives_.empty()) MPI_Startall(static_cast<int>(receives_.size()), receives_.data());
  if (!sends_.empty()) MPI_Startall(static_cast<int>(sends_.size()), sends_.data());
}

void Requests::wait_incoming() {
  MPI_Waitall(static_cast<int>(receives_.size()), receives_.data(), MPI_STATUSES_IGNORE);
}

void Requests::wait_outgoing() { MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE); }

}  // namespace tenken
