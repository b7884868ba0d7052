// Exchange of the packed faces of a block with its up to eight neighbours, by persistent MPI requests.
//
//   fill halo.outgoing(d, side); halo.start(); ...work that needs no halo...
//   halo.wait_incoming(); read halo.incoming(d, side); halo.wait_outgoing();
//
// What is outgoing at the lower side arrives at the lower neighbour's upper side. A dimension with a single rank wraps
// onto itself without any message: there, incoming at one side is the very memory of outgoing at the other.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "parallel/decomposition.hpp"
#include "parallel/requests.hpp"

namespace tenken {

class Halo {
 public:
  // Collective. `face_bytes`: of one face in each dimension, the same on all ranks; 0 = not exchanged.
  Halo(MPI_Comm comm, const Decomposition& block, const std::array<std::size_t, dimensions>& face_bytes);

  std::byte* outgoing(int dimension, Side side) { return outgoing_[face(dimension, side)]; }
  std::byte* incoming(int dimension, Side side) { return incoming_[face(dimension, side)]; }
  const std::byte* incoming(int dimension, Side side) const { return incoming_[face(dimension, side)]; }
  std::size_t face_bytes(int dimension) const { return face_bytes_[dimension]; }

  void start() { requests_.start(); }
  void wait_incoming() { requests_.wait_incoming(); }  // all faces of the neighbours are here
  void wait_outgoing() { requests_.wait_outgoing(); }  // the outgoing faces may be written again

  // Of one exchange of this rank; as many are received as sent.
  std::int64_t messages() const { return requests_.messages(); }
  std::int64_t bytes() const { return requests_.bytes(); }

 private:
  static std::size_t face(int dimension, Side side) {
    return static_cast<std::size_t>(2 * dimension + static_cast<int>(side));
  }

  std::array<std::size_t, dimensions> face_bytes_;
  std::array<std::byte*, 2 * dimensions> outgoing_{};
  std::array<std::byte*, 2 * dimensions> incoming_{};
  Requests requests_;  // its memory has the faces
};

}  // namespace tenken
