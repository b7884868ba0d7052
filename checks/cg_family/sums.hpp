// Up to three sums over threads and ranks at once, blocking or not.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tenken::cg_family {

enum class Reduction {
  blocking,
  nonblocking,
  polled,  // not blocking, and the first thread lets MPI go on between parts of its work
  none,    // not at all, once known: the sums of the solve before, so that iterations are the same
};

class Sums {
 public:
  static constexpr int most = 3;
  using Values = std::array<double, most>;

  // Collective. stale (a fault): the sums that are told are those of the reduction before.
  Sums(MPI_Comm comm, int threads, Reduction reduction, bool stale);
  ~Sums();
  Sums(const Sums&) = delete;
  Sums& operator=(const Sums&) = delete;

  bool blocking() const { return reduction_ == Reduction::blocking || reduction_ == Reduction::none; }

  // Of one thread: its part of sum `which`.
  double& part(int thread, int which) {
    return parts_[static_cast<std::size_t>(thread)].of[static_cast<std::size_t>(which)];
  }

  // By the first thread, when all parts are there: start, then wait; sums are there after that. All ranks alike.
  void start(int count);
  void poll();
  void wait();
  double operator[](int which) const { return told_[static_cast<std::size_t>(which)]; }

  // A solve begins: with Reduction::none the first one is reduced and kept, later ones take what was kept.
  void restart();

 private:
  struct alignas(64) Part {
    Values of{};
  };

  MPI_Comm comm_ = MPI_COMM_NULL;
  Reduction reduction_;
  bool stale_;
  std::vector<Part> parts_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  Values values_{}, before_{}, told_{};
  std::vector<Values> kept_;
  std::size_t at_ = 0;
};

}  // namespace tenken::cg_family
