#include "sums.hpp"

namespace tenken::cg_family {

Sums::Sums(MPI_Comm comm, int threads, Reduction reduction, bool stale)
    : reduction_(reduction), stale_(stale), parts_(static_cast<std::size_t>(threads)) {
  MPI_Comm_dup(comm, &comm_);
}

Sums::~Sums() { MPI_Comm_free(&comm_); }

void Sums::start(int count) {
  values_ = {};
  for (const Part& part : parts_) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) values_[k] += part.of[k];
  }
  if (reduction_ == Reduction::none && at_ < kept_.size()) {
    values_ = kept_[at_++];
    return;
  }
  if (blocking()) {
    MPI_Allreduce(MPI_IN_PLACE, values_.data(), count, MPI_DOUBLE, MPI_SUM, comm_);
  } else {
    MPI_Iallreduce(MPI_IN_PLACE, values_.data(), count, MPI_DOUBLE, MPI_SUM, comm_, &request_);
  }
  if (reduction_ == Reduction::none) {
    kept_.push_back(values_);
    ++at_;
  }
}

void Sums::poll() {
  if (reduction_ != Reduction::polled || request_ == MPI_REQUEST_NULL) return;
  int done = 0;
  MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
}

void Sums::wait() {
  if (request_ != MPI_REQUEST_NULL) MPI_Wait(&request_, MPI_STATUS_IGNORE);
  told_ = stale_ ? before_ : values_;
  before_ = values_;
}

void Sums::restart() { at_ = 0; }

}  // namespace tenken::cg_family
