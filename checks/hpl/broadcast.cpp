#include "broadcast.hpp"

namespace hpl {

void Broadcast::start(Panel& panel, int root) {
  panel_ = &panel;
  root_ = root;
  received_ = grid_.column == root ? 0 : std::int64_t{8} * panel.message_size();
  if (grid_.q == 1) return;
  if (route_ == Route::tree) {
    MPI_Ibcast(panel.message(), panel.message_size(), MPI_DOUBLE, root, grid_.along_row, &incoming_);
  } else if (grid_.column == root) {
    pass_on();
  } else {
    const int left = (grid_.column + grid_.q - 1) % grid_.q;
    MPI_Irecv(panel.message(), panel.message_size(), MPI_DOUBLE, left, 0, grid_.along_row, &incoming_);
  }
}

void Broadcast::pass_on() {
  const int right = (grid_.column + 1) % grid_.q;
  if (right == root_) return;
  MPI_Isend(panel_->message(), panel_->message_size(), MPI_DOUBLE, right, 0, grid_.along_row, &outgoing_);
}

void Broadcast::progress() {
  int done = 0;
  if (incoming_ != MPI_REQUEST_NULL) {
    MPI_Test(&incoming_, &done, MPI_STATUS_IGNORE);
    if (done != 0 && route_ == Route::ring) pass_on();
  } else if (outgoing_ != MPI_REQUEST_NULL) {
    MPI_Test(&outgoing_, &done, MPI_STATUS_IGNORE);
  }
}

void Broadcast::finish() {
  if (incoming_ != MPI_REQUEST_NULL) {
    MPI_Wait(&incoming_, MPI_STATUS_IGNORE);
    if (route_ == Route::ring) pass_on();
  }
  MPI_Wait(&outgoing_, MPI_STATUS_IGNORE);
}

}  // namespace hpl
