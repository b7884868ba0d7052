#include "exchange.hpp"

#include <cstring>

#include "base/random.hpp"

namespace mpi_pairs {

namespace {
constexpr int tag = 1;
constexpr std::size_t line = 64;
}  // namespace

Exchange::Exchange(MPI_Comm comm, std::size_t size, int round_trips)
    : comm_(comm), size_(size), stride_((size + line - 1) / line * line), round_trips_(round_trips) {
  MPI_Comm_rank(comm, &rank_);
  const std::size_t bytes = stride_ * static_cast<std::size_t>(round_trips);
  sent_ = {bytes, tenken::Pages::any, "the messages of mpi_pairs"};
  received_ = {bytes, tenken::Pages::any, "the messages of mpi_pairs"};
}

void Exchange::prepare(std::uint64_t sample) {
  const std::uint64_t start = tenken::mix64(sample << 20 | static_cast<std::uint64_t>(rank_));
  for (std::size_t offset = 0; offset < sent_.size(); offset += 8) {
    const std::uint64_t word = start + offset * 0x9e3779b97f4a7c15u;
    std::memcpy(&sent_[offset], &word, sizeof word);
  }
}

void Exchange::meet(int partner) const {
  MPI_Sendrecv(nullptr, 0, MPI_BYTE, partner, tag, nullptr, 0, MPI_BYTE, partner, tag, comm_, MPI_STATUS_IGNORE);
}

void Exchange::run(int partner, int passes) {
  const int count = static_cast<int>(size_);
  for (int i = 0; i < passes * round_trips_; ++i) {
    const std::size_t start = stride_ * static_cast<std::size_t>(i % round_trips_);
    std::byte* out = &sent_[start];
    std::byte* in = &received_[start];
    if (rank_ < partner) MPI_Send(out, count, MPI_BYTE, partner, tag, comm_);
    MPI_Recv(in, count, MPI_BYTE, partner, tag, comm_, MPI_STATUS_IGNORE);
    if (rank_ > partner) MPI_Send(in, count, MPI_BYTE, partner, tag, comm_);
  }
}

std::int64_t Exchange::wrong(int partner) const {
  if (rank_ > partner) return 0;
  std::int64_t wrong = 0;
  for (int i = 0; i < round_trips_; ++i) {
    const std::size_t start = stride_ * static_cast<std::size_t>(i);
    if (std::memcmp(&sent_[start], &received_[start], size_) == 0) continue;
    for (std::size_t at = start; at < start + size_; ++at) wrong += sent_[at] != received_[at] ? 1 : 0;
  }
  return wrong;
}

}  // namespace mpi_pairs
