#include "broadcast.hpp"

#include <cstdint>

namespace hpl {

namespace {

constexpr int tags = 2;  // of one broadcast: passing on and dealing out

int begin_of_piece(int size, int piece, int pieces) { return static_cast<int>(std::int64_t{size} * piece / pieces); }

}  // namespace

int Broadcast::begin_of(int piece) const { return begin_of_piece(panel_->message_size(), piece, grid_.q); }

void Broadcast::start(Panel& panel, int root) {
  panel_ = &panel;
  root_ = root;
  if (grid_.q == 1) return;
  if (route_ == Route::tree) {
    MPI_Ibcast(panel.message(), panel.message_size(), MPI_DOUBLE, root, grid_.along_row, &incoming_);
  } else if (route_ == Route::ring) {
    if (grid_.column == root) return pass_on();
    const int left = (grid_.column + grid_.q - 1) % grid_.q;
    MPI_Irecv(panel.message(), panel.message_size(), MPI_DOUBLE, left, number_ * tags, grid_.along_row, &incoming_);
  } else {
    step_ = -1;
    if (place() > 0) {
      receive_piece(place(), root, number_ * tags + 1);
      return;
    }
    for (int to = 1; to < grid_.q; ++to) {
      send_piece(to, to, number_ * tags + 1);
      dealt_.push_back(requests_.back());
      requests_.pop_back();
    }
    step_ = 0;
    post_step();
  }
}

void Broadcast::pass_on() {
  const int right = (grid_.column + 1) % grid_.q;
  if (right == root_) return;
  MPI_Isend(panel_->message(), panel_->message_size(), MPI_DOUBLE, right, number_ * tags, grid_.along_row, &outgoing_);
}

// Places in the row count from the root.
void Broadcast::send_piece(int piece, int to, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(panel_->message() + begin_of(piece), begin_of(piece + 1) - begin_of(piece), MPI_DOUBLE, column_at(to), tag,
            grid_.along_row, &request);
  requests_.push_back(request);
}

void Broadcast::receive_piece(int piece, int from_column, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(panel_->message() + begin_of(piece), begin_of(piece + 1) - begin_of(piece), MPI_DOUBLE, from_column, tag,
            grid_.along_row, &request);
  requests_.push_back(request);
}

// In step n the process at place u passes on the piece u - n, which is its own or came in the step before. The last
// place has no receiver, since the root has all pieces.
void Broadcast::post_step() {
  const int q = grid_.q, me = place();
  const auto piece = [&](int at) { return (at - step_ + q) % q; };
  if (me > 0) receive_piece(piece(me - 1), column_at(me - 1), number_ * tags);
  if (me + 1 < q) send_piece(piece(me), me + 1, number_ * tags);
}

// The next step where all of this step has arrived and left.
void Broadcast::test() {
  int done = 1;
  while (done != 0 && step_ < grid_.q - 1) {
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
    if (done == 0) return;
    requests_.clear();
    if (++step_ < grid_.q - 1) post_step();
  }
}

void Broadcast::progress() {
  if (panel_ == nullptr || grid_.q == 1) return;
  if (route_ == Route::spread) return test();
  int done = 0;
  if (incoming_ != MPI_REQUEST_NULL) {
    MPI_Test(&incoming_, &done, MPI_STATUS_IGNORE);
    if (done != 0 && route_ == Route::ring) pass_on();
  } else if (outgoing_ != MPI_REQUEST_NULL) {
    MPI_Test(&outgoing_, &done, MPI_STATUS_IGNORE);
  }
}

void Broadcast::finish() {
  if (panel_ == nullptr) return;
  if (grid_.q > 1 && route_ == Route::spread) {
    while (step_ < grid_.q - 1) {
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
      requests_.clear();
      if (++step_ < grid_.q - 1) post_step();
    }
    MPI_Waitall(static_cast<int>(dealt_.size()), dealt_.data(), MPI_STATUSES_IGNORE);
    dealt_.clear();
  }
  if (incoming_ != MPI_REQUEST_NULL) {
    MPI_Wait(&incoming_, MPI_STATUS_IGNORE);
    if (route_ == Route::ring) pass_on();
  }
  MPI_Wait(&outgoing_, MPI_STATUS_IGNORE);
  panel_ = nullptr;
}

tenken::Work broadcast_work(const Grid& grid, Route route, const Panel& panel, int root) {
  if (grid.q == 1) return {};
  const int size = panel.message_size(), q = grid.q, me = (grid.column + q - root) % q;
  const bool receives = me > 0, sends = me + 1 < q;
  if (route != Route::spread) {
    const std::int64_t bytes = std::int64_t{8} * size;
    return {.bytes_read = receives ? bytes : 0, .bytes_written = sends ? bytes : 0, .messages = sends ? 1 : 0};
  }
  const auto piece_bytes = [&](int piece) {
    return std::int64_t{8} * (begin_of_piece(size, piece + 1, q) - begin_of_piece(size, piece, q));
  };
  tenken::Work work{.bytes_read = receives ? std::int64_t{8} * size : 0};
  if (me == 0) {
    work.bytes_written = std::int64_t{8} * size - piece_bytes(0);
    work.messages = q - 1;
  }
  for (int step = 0; sends && step < q - 1; ++step) {
    work.bytes_written += piece_bytes((me - step + q) % q);
    ++work.messages;
  }
  return work;
}

}  // namespace hpl
