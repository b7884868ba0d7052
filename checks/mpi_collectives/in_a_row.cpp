#include "in_a_row.hpp"

#include "summands.hpp"

namespace mpi_collectives {

namespace {
constexpr std::size_t line = 64 / sizeof(double);
}

RowOfSums::RowOfSums(MPI_Comm comm, std::size_t bytes)
    : comm_(comm), n_(bytes / sizeof(double)), stride_((n_ + line - 1) / line * line) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks_);
}

void RowOfSums::prepare(std::uint64_t sample, int calls) {
  sample_ = sample;
  calls_ = calls;
  const std::size_t elements = stride_ * static_cast<std::size_t>(calls);
  if (elements > given_.size()) {
    given_ = {elements, tenken::Pages::any, "the summands of mpi_collectives"};
    sum_ = {elements, tenken::Pages::any, "the sums of mpi_collectives"};
  }
  for (int c = 0; c < calls; ++c) {
    double* const numbers = &given_[stride_ * static_cast<std::size_t>(c)];
    for (std::size_t i = 0; i < n_; ++i) numbers[i] = summand(rank_, call(c), i);
  }
}

void RowOfSums::run() {
  const double* in = given_.data();
  double* out = sum_.data();
  for (int c = 0; c < calls_; ++c, in += stride_, out += stride_) {
    MPI_Allreduce(in, out, static_cast<int>(n_), MPI_DOUBLE, MPI_SUM, comm_);
  }
}

std::int64_t RowOfSums::wrong() const {
  std::int64_t elements = 0;
  for (int c = 0; c < calls_; ++c) {
    const double* const numbers = &sum_[stride_ * static_cast<std::size_t>(c)];
    for (std::size_t i = 0; i < n_; ++i) elements += numbers[i] != exact_sum(ranks_, call(c), i) ? 1 : 0;
  }
  return elements;
}

}  // namespace mpi_collectives
