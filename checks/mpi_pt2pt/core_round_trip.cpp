#include "core_round_trip.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "pairs.hpp"

namespace mpi_pt2pt {

namespace {
constexpr std::size_t apart = 32;  // words: 256 bytes, so that no prefetcher moves both lines together
constexpr int patience = 20000;    // looks, about 10 us: then the other is not running, and may need this core
constexpr int batches = 31;
constexpr int round_trips = 100;

void wait_for(std::atomic_ref<std::uint64_t> line, std::uint64_t turn) {
  for (int looks = 0; line.load(std::memory_order_acquire) != turn; ++looks) {
    if (looks > patience) std::this_thread::yield();
  }
}
}  // namespace

CoreRoundTrip::CoreRoundTrip(MPI_Comm comm, int partner) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm both;
  MPI_Comm_split(comm, partner == nobody ? MPI_UNDEFINED : std::min(rank, partner), 0, &both);
  if (both == MPI_COMM_NULL) return;
  MPI_Comm_split_type(both, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &pair_);
  MPI_Comm_free(&both);
  int size = 0;
  MPI_Comm_size(pair_, &size);
  if (size != 2) return;
  starts_ = rank < partner;
  void* mine = nullptr;
  const MPI_Aint bytes = starts_ ? static_cast<MPI_Aint>(2 * apart * sizeof(std::uint64_t)) : 0;
  MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, pair_, &mine, &window_);
  MPI_Aint queried = 0;
  int unit = 0;
  MPI_Win_shared_query(window_, 0, &queried, &unit, &lines_);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  if (starts_) std::fill_n(lines_, 2 * apart, 0u);
  MPI_Win_sync(window_);
  MPI_Barrier(pair_);
}

CoreRoundTrip::~CoreRoundTrip() {
  if (window_ != MPI_WIN_NULL) {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  if (pair_ != MPI_COMM_NULL) MPI_Comm_free(&pair_);
}

double CoreRoundTrip::nanoseconds() {
  std::atomic_ref<std::uint64_t> ping(lines_[0]);
  std::atomic_ref<std::uint64_t> pong(lines_[apart]);
  std::array<double, batches> each{};
  MPI_Barrier(pair_);
  for (double& ns : each) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < round_trips; ++i) {
      ++turn_;
      if (starts_) ping.store(turn_, std::memory_order_release);
      wait_for(starts_ ? pong : ping, turn_);
      if (!starts_) pong.store(turn_, std::memory_order_release);
    }
    ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / round_trips;
  }
  std::nth_element(each.begin(), each.begin() + batches / 2, each.end());
  double median = each[batches / 2];
  MPI_Bcast(&median, 1, MPI_DOUBLE, 0, pair_);
  return median;
}

}  // namespace mpi_pt2pt
