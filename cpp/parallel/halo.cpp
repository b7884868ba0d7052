#include "parallel/halo.hpp"

#include <limits>
#include <string>

#include "base/error.hpp"

namespace tenken {

namespace {

constexpr std::size_t cache_line = 64;

std::size_t padded(std::size_t bytes) { return (bytes + cache_line - 1) / cache_line * cache_line; }

constexpr Side other(Side side) { return side == Side::lower ? Side::upper : Side::lower; }

}  // namespace

Halo::Halo(MPI_Comm comm, const Decomposition& block, const std::array<std::size_t, dimensions>& face_bytes)
    : face_bytes_(face_bytes) {
  std::size_t bytes = 0;
  for (const std::size_t each : face_bytes) {
    if (each > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      refuse("a halo face of " + std::to_string(each) +
             " bytes is larger than one MPI message (2 GiB); use more ranks");
    }
    bytes += 4 * padded(each);
  }
  MPI_Comm_dup(comm, &comm_);
  memory_ = Buffer<std::byte>(bytes, Pages::any, "halo faces");
  std::byte* next = memory_.data();
  const auto take = [&](std::size_t size) {
    std::byte* const taken = next;
    next += padded(size);
    return taken;
  };
  for (int d = 0; d < dimensions; ++d) {
    const std::size_t size = face_bytes[d];
    for (const Side side : {Side::lower, Side::upper}) outgoing_[face(d, side)] = take(size);
    for (const Side side : {Side::lower, Side::upper}) {
      incoming_[face(d, side)] = block.divided(d) ? take(size) : outgoing_[face(d, other(side))];
      if (!block.divided(d) || size == 0) continue;
      // The tag says the way a face travels: with two ranks in a dimension both faces go to the same neighbour.
      const int rank = block.neighbour(d, side);
      const auto count = static_cast<int>(size);
      MPI_Recv_init(incoming_[face(d, side)], count, MPI_BYTE, rank, static_cast<int>(face(d, other(side))), comm_,
                    &receives_.emplace_back());
      MPI_Send_init(outgoing_[face(d, side)], count, MPI_BYTE, rank, static_cast<int>(face(d, side)), comm_,
                    &sends_.emplace_back());
      bytes_ += count;
    }
  }
}

Halo::~Halo() {
  for (MPI_Request& request : receives_) MPI_Request_free(&request);
  for (MPI_Request& request : sends_) MPI_Request_free(&request);
  MPI_Comm_free(&comm_);
}

void Halo::start() {
  if (sends_.empty()) return;
  MPI_Startall(static_cast<int>(receives_.size()), receives_.data());
  MPI_Startall(static_cast<int>(sends_.size()), sends_.data());
}

void Halo::wait_incoming() { MPI_Waitall(static_cast<int>(receives_.size()), receives_.data(), MPI_STATUSES_IGNORE); }

void Halo::wait_outgoing() { MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE); }

}  // namespace tenken
