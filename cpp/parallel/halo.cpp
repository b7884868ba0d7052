#include "parallel/halo.hpp"

namespace tenken {

namespace {

constexpr std::size_t cache_line = 64;

std::size_t padded(std::size_t bytes) { return (bytes + cache_line - 1) / cache_line * cache_line; }

constexpr Side other(Side side) { return side == Side::lower ? Side::upper : Side::lower; }

}  // namespace

Halo::Halo(MPI_Comm comm, const Decomposition& block, const std::array<std::size_t, dimensions>& face_bytes)
    : face_bytes_(face_bytes), requests_(comm) {
  std::size_t bytes = 0;
  for (const std::size_t each : face_bytes) {
    bytes += 4 * padded(each);
  }
  std::byte* next = requests_.memory(bytes, "halo faces");
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
      requests_.receive(rank, static_cast<int>(face(d, other(side))), incoming_[face(d, side)], size);
      requests_.send(rank, static_cast<int>(face(d, side)), outgoing_[face(d, side)], size);
    }
  }
  requests_.complete();
}

}  // namespace tenken
