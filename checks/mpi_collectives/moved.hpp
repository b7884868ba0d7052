// The operations that move words and do not add them up.
#pragma once

#include <vector>

#include "base/buffer.hpp"
#include "operation.hpp"
#include "shares.hpp"

namespace mpi_collectives {

using Words = tenken::Buffer<std::uint32_t>;

class Barrier : public Operation {
 public:
  explicit Barrier(MPI_Comm comm) : comm_(comm) {}
  void prepare(std::uint64_t) override {}
  void run() override { MPI_Barrier(comm_); }
  std::int64_t wrong(std::span<std::int64_t>) const override { return 0; }
  void spoil() override {}
  tenken::Work work() const override { return {.messages = 1}; }

 private:
  MPI_Comm comm_;
};

// From rank 0 to all.
class Bcast : public Operation {
 public:
  Bcast(MPI_Comm comm, std::size_t words);
  void prepare(std::uint64_t sample) override;
  void run() override;
  std::int64_t wrong(std::span<std::int64_t> by_source) const override;
  void spoil() override { words_[words_.size() / 2] ^= 0x100; }
  tenken::Work work() const override;

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  std::uint64_t sample_ = 0;
  Words words_;
};

// Uneven shares of all ranks, to all.
class Allgatherv : public Operation {
 public:
  Allgatherv(MPI_Comm comm, std::size_t words);
  void prepare(std::uint64_t sample) override;
  void run() override;
  std::int64_t wrong(std::span<std::int64_t> by_source) const override;
  void spoil() override;
  tenken::Work work() const override;

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  std::uint64_t sample_ = 0;
  Shares shares_;
  Words given_;
  Words got_;
};

// A piece from each rank to each, or to its neighbours on a grid.
class Pieces : public Operation {
 public:
  Pieces(MPI_Comm comm, std::size_t words_of_piece, bool neighbours);
  ~Pieces() override;
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  void prepare(std::uint64_t sample) override;
  void run() override;
  std::int64_t wrong(std::span<std::int64_t> by_source) const override;
  void spoil() override;
  tenken::Work work() const override;

 private:
  MPI_Comm comm_;
  MPI_Comm graph_ = MPI_COMM_NULL;  // of neighbours
  int rank_ = 0;
  std::uint64_t sample_ = 0;
  std::size_t words_;
  std::vector<int> others_;  // whom pieces go to and come from, in order
  Words given_;
  Words got_;
};

}  // namespace mpi_collectives
