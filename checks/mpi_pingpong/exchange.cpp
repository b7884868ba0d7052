#include "exchange.hpp"

#include "payload.hpp"

namespace mpi_pingpong {

namespace {

constexpr int tag = 1;
constexpr std::size_t line = 64;

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

}  // namespace

Exchange::Exchange(MPI_Comm comm, int partner, std::size_t size)
    : comm_(comm),
      partner_(partner),
      starts_(rank_in(comm) < partner),
      size_(size),
      stride_((size + line - 1) / line * line) {}

void Exchange::prepare(std::uint64_t sample, int round_trips) {
  sample_ = sample;
  round_trips_ = round_trips;
  const std::size_t bytes = stride_ * static_cast<std::size_t>(round_trips);
  if (bytes > received_.size()) {
    sent_ = {bytes, tenken::Pages::any, "the messages of mpi_pingpong"};
    received_ = {bytes, tenken::Pages::any, "the messages of mpi_pingpong"};
  }
  if (!starts_) return;
  for (int i = 0; i < round_trips; ++i) write_payload(&sent_[stride_ * static_cast<std::size_t>(i)], size_, message(i));
}

void Exchange::meet() {
  const auto send = [&] { MPI_Send(nullptr, 0, MPI_BYTE, partner_, tag, comm_); };
  const auto receive = [&] { MPI_Recv(nullptr, 0, MPI_BYTE, partner_, tag, comm_, MPI_STATUS_IGNORE); };
  if (starts_) send();
  receive();
  if (!starts_) send();
}

void Exchange::run() {
  const int count = static_cast<int>(size_);
  std::byte* out = sent_.data();
  std::byte* in = received_.data();
  for (int i = 0; i < round_trips_; ++i, out += stride_, in += stride_) {
    if (starts_) MPI_Send(out, count, MPI_BYTE, partner_, tag, comm_);
    MPI_Recv(in, count, MPI_BYTE, partner_, tag, comm_, MPI_STATUS_IGNORE);
    if (!starts_) MPI_Send(in, count, MPI_BYTE, partner_, tag, comm_);
  }
}

std::int64_t Exchange::wrong() const {
  std::int64_t bytes = 0;
  if (!starts_) return bytes;
  for (int i = 0; i < round_trips_; ++i)
    bytes += wrong_bytes(&received_[stride_ * static_cast<std::size_t>(i)], size_, message(i));
  return bytes;
}

}  // namespace mpi_pingpong
