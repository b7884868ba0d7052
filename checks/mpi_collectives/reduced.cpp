#include "reduced.hpp"

#include <type_traits>

#include "summands.hpp"

namespace mpi_collectives {

namespace {

template <class Number>
Number given_by(int rank, std::uint64_t sample, std::size_t i) {
  if constexpr (std::is_same_v<Number, double>) {
    return summand(rank, sample, i);
  } else {
    return small_summand(rank, sample, i);
  }
}

template <class Number>
Number exact(int ranks, std::uint64_t sample, std::size_t i) {
  if constexpr (std::is_same_v<Number, double>) {
    return exact_sum(ranks, sample, i);
  } else {
    return exact_small_sum(ranks, sample, i);
  }
}

template <class Number>
MPI_Datatype type() {
  if constexpr (std::is_same_v<Number, double>) {
    return MPI_DOUBLE;
  } else {
    return MPI_INT32_T;
  }
}

}  // namespace

template <class Number>
Reduced<Number>::Reduced(MPI_Comm comm, std::size_t numbers, bool to_all)
    : comm_(comm),
      to_all_(to_all),
      given_(numbers, tenken::Pages::any, "the summands of mpi_collectives"),
      sum_(numbers, tenken::Pages::any, "the sums of mpi_collectives") {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks_);
}

template <class Number>
void Reduced<Number>::prepare(std::uint64_t sample) {
  sample_ = sample;
  for (std::size_t i = 0; i < given_.size(); ++i) given_[i] = given_by<Number>(rank_, sample, i);
}

template <class Number>
void Reduced<Number>::run() {
  const auto n = static_cast<int>(given_.size());
  if (to_all_) {
    MPI_Allreduce(given_.data(), sum_.data(), n, type<Number>(), MPI_SUM, comm_);
  } else {
    MPI_Reduce(given_.data(), sum_.data(), n, type<Number>(), MPI_SUM, 0, comm_);
  }
}

// A sum does not show whose number is wrong.
template <class Number>
std::int64_t Reduced<Number>::wrong(std::span<std::int64_t>) const {
  if (!to_all_ && rank_ != 0) return 0;
  std::int64_t numbers = 0;
  for (std::size_t i = 0; i < sum_.size(); ++i) numbers += sum_[i] != exact<Number>(ranks_, sample_, i) ? 1 : 0;
  return numbers * static_cast<std::int64_t>(sizeof(Number));
}

template <class Number>
void Reduced<Number>::spoil() {
  given_[given_.size() / 2] += 1;
}

template <class Number>
tenken::Work Reduced<Number>::work() const {
  const auto bytes = static_cast<std::int64_t>(given_.size() * sizeof(Number));
  return {.bytes_read = to_all_ || rank_ == 0 ? bytes : 0, .bytes_written = bytes, .messages = 1};
}

template class Reduced<double>;
template class Reduced<std::int32_t>;

}  // namespace mpi_collectives
