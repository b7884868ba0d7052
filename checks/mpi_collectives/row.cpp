#include "row.hpp"

#include <string>

#include "base/error.hpp"
#include "parallel/batch.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace mpi_collectives {

using namespace this_check;

Row::Row(tenken::Check& check, bool sums, bool barriers, bool cores_shared) : check_(check) {
  const auto fitting = [&](const auto& run) { return cores_shared ? 1 : tenken::batch_of(check.comm(), run); };
  if (barriers) barrier_calls_ = fitting([&](int n) { barriers_in_a_row(check.comm(), n); });
  if (!sums) return;
  sizes_ = check.parameters().integers("sizes");
  for (const std::int64_t size : sizes_) {
    if (size % 8 != 0) {
      tenken::refuse("--sizes " + std::to_string(size) + " must be a multiple of 8, the bytes of a number");
    }
    RowOfSums& row = sums_.emplace_back(check.comm(), static_cast<std::size_t>(size));
    calls_.push_back(fitting([&](int n) {
      row.prepare(++sample_, n);
      row.run();
    }));
  }
}

void Row::pass() {
  for (std::size_t s = 0; s < sums_.size(); ++s) {
    sums_[s].prepare(++sample_, calls_[s]);
    MPI_Barrier(check_.comm());
    {
      tenken::Section section{section::allreduce, static_cast<int>(s), work(sizes_[s], calls_[s]), calls_[s]};
      sums_[s].run();
    }
    wrong_ += sums_[s].wrong();
  }
  if (barrier_calls_ == 0) return;
  MPI_Barrier(check_.comm());
  tenken::Section section{section::barrier, 0, {.messages = barrier_calls_}, barrier_calls_};
  barriers_in_a_row(check_.comm(), barrier_calls_);
}

void Row::prove() {
  if (!sums_.empty()) check_.prove(validity::sum, check_.sum_over_ranks(static_cast<double>(wrong_)));
}

}  // namespace mpi_collectives
