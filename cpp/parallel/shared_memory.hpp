// Memory of each rank that the other ranks of its node read and write in place.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <thread>
#include <vector>

namespace tenken {

class SharedMemory {
 public:
  // Collective over `comm`. `bytes` of this rank, zero-filled, from a page on, in pages near this rank; ranks may ask
  // for different sizes. Throws UserError (impossible) that names `purpose`, on every rank, where the MPI cannot share
  // them.
  SharedMemory(MPI_Comm comm, std::size_t bytes, std::string_view purpose);
  ~SharedMemory();  // collective
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* mine() const { return mine_; }
  std::size_t bytes() const { return bytes_; }
  // The memory of a rank of `comm`; null where that rank is on another node.
  std::byte* of(int rank) const { return of_[static_cast<std::size_t>(rank)]; }
  bool all_on_one_node() const { return all_on_one_node_; }

 private:
  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* mine_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<std::byte*> of_;
  bool all_on_one_node_ = false;
};

// Two numbers that ranks wait for lie this far apart: no prefetcher moves them together.
constexpr std::size_t flag_distance = 128;

// Waits until another rank of the node has stored at least `wanted`. `progress` is called now and then, for messages
// that the other rank may be waiting for. Gives the core away after a while: the other rank may need it.
template <class Progress>
void wait_for(std::atomic_ref<std::int64_t> number, std::int64_t wanted, Progress progress) {
  constexpr int patience = 20000, rarely = 256;
  for (int looks = 0; number.load(std::memory_order_acquire) < wanted; ++looks) {
    if (looks % rarely == rarely - 1) progress();
    if (looks > patience) std::this_thread::yield();
  }
}

}  // namespace tenken
