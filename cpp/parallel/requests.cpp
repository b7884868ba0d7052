#include "parallel/requests.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "parallel/route_table.hpp"
#include "parallel/shared_file.hpp"

namespace tenken {

namespace {

std::int64_t all_through_memory = 0;

constexpr std::size_t flags_of_message = 2 * flag_distance;

std::atomic_ref<std::int64_t> flag(std::byte* flags, int which) {
  return std::atomic_ref(*reinterpret_cast<std::int64_t*>(flags + static_cast<std::size_t>(which) * flag_distance));
}
std::atomic_ref<std::int64_t> ready(std::byte* flags) { return flag(flags, 0); }
std::atomic_ref<std::int64_t> taken(std::byte* flags) { return flag(flags, 1); }

int message_length(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    refuse("an exchange of " + std::to_string(bytes) +
           " bytes with one neighbour is larger than one MPI message (2 GiB); use more ranks");
  }
  return static_cast<int>(bytes);
}

}  // namespace

std::int64_t messages_through_memory() { return all_through_memory; }

Requests::Requests(MPI_Comm comm, Through through) : through_(through) {
  MPI_Comm_dup(comm, &comm_);
  if (through_ == Through::fastest && routes_in_use() == nullptr) through_ = Through::messages;
}

Requests::~Requests() {
  for (MPI_Request& request : receives_) MPI_Request_free(&request);
  for (MPI_Request& request : sends_) MPI_Request_free(&request);
  MPI_Comm_free(&comm_);
}

std::byte* Requests::memory(std::size_t bytes, std::string_view purpose) {
  if (through_ == Through::messages) {
    own_ = Buffer<std::byte>(bytes, Pages::any, purpose);
    return own_.data();
  }
  shared_ = std::make_unique<SharedMemory>(comm_, bytes, purpose);
  return shared_->mine();
}

void Requests::receive(int rank, int tag, std::byte* into, std::size_t bytes) {
  message_length(bytes);
  incoming_.push_back({rank, tag, into, nullptr, bytes});
}

void Requests::send(int rank, int tag, const std::byte* from, std::size_t bytes) {
  message_length(bytes);
  outgoing_.push_back({rank, tag, nullptr, from, bytes});
  ++messages_;
  bytes_ += static_cast<std::int64_t>(bytes);
}

// Which outgoing messages their receivers should copy: known to the sender alone, who knows where the message begins.
std::vector<bool> Requests::offered() const {
  std::vector<bool> offer(outgoing_.size(), false);
  int ranks = 0;
  MPI_Comm_size(comm_, &ranks);
  const Tree tree("/");
  const int cpu = bound_processor(tree);
  std::vector<int> cpus(static_cast<std::size_t>(ranks));
  MPI_Allgather(&cpu, 1, MPI_INT, cpus.data(), 1, MPI_INT, comm_);
  for (std::size_t i = 0; i < outgoing_.size(); ++i) {
    const Message& message = outgoing_[i];
    const bool inside = message.from >= shared_->mine() && message.from < shared_->mine() + shared_->bytes();
    if (!inside || shared_->of(message.rank) == nullptr) continue;
    if (through_ == Through::memory) {
      offer[i] = true;
      continue;
    }
    const Near near = message.rank == rank_in(comm_) ? Near::itself
                                                     : near_of(tree, cpu, cpus[static_cast<std::size_t>(message.rank)]);
    const auto us = routes_in_use()->of_message(near, static_cast<std::int64_t>(message.bytes));
    if (!us) continue;
    const std::array choice = {(*us)[static_cast<std::size_t>(RouteKind::pack)],
                               (*us)[static_cast<std::size_t>(RouteKind::staged)]};
    offer[i] = fastest_route(choice) == 1;
  }
  return offer;
}

void Requests::agree_on_memory(std::vector<bool>& sent, std::vector<bool>& received) {
  sent = offered();
  std::size_t count = 0;
  for (const bool one : sent) count += one ? 1 : 0;
  flags_ = std::make_unique<SharedMemory>(comm_, count * flags_of_message, "flags of messages");
  // Where the message and its flags are in the memory of the sender; -1: it comes through MPI.
  std::vector<std::array<std::int64_t, 2>> mine(outgoing_.size()), theirs(incoming_.size());
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < incoming_.size(); ++i) {
    const Message& message = incoming_[i];
    MPI_Irecv(theirs[i].data(), 2, MPI_INT64_T, message.rank, message.tag, comm_, &requests.emplace_back());
  }
  std::int64_t next = 0;
  for (std::size_t i = 0; i < outgoing_.size(); ++i) {
    const Message& message = outgoing_[i];
    mine[i] = {-1, -1};
    if (sent[i]) {
      std::byte* const flags = flags_->mine() + next;
      mine[i] = {message.from - shared_->mine(), next};
      next += flags_of_message;
      shown_.push_back({flags, nullptr, message.from, message.bytes});
    }
    MPI_Isend(mine[i].data(), 2, MPI_INT64_T, message.rank, message.tag, comm_, &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  received.assign(incoming_.size(), false);
  for (std::size_t i = 0; i < incoming_.size(); ++i) {
    if (theirs[i][0] < 0) continue;
    const Message& message = incoming_[i];
    received[i] = true;
    copied_.push_back({flags_->of(message.rank) + theirs[i][1], message.into, shared_->of(message.rank) + theirs[i][0],
                       message.bytes});
  }
}

void Requests::complete() {
  std::vector<bool> sent(outgoing_.size(), false), received(incoming_.size(), false);
  if (shared_ != nullptr) agree_on_memory(sent, received);
  all_through_memory += through_memory();
  for (std::size_t i = 0; i < incoming_.size(); ++i) {
    const Message& one = incoming_[i];
    if (received[i]) continue;
    MPI_Recv_init(one.into, message_length(one.bytes), MPI_BYTE, one.rank, one.tag, comm_, &receives_.emplace_back());
  }
  for (std::size_t i = 0; i < outgoing_.size(); ++i) {
    const Message& one = outgoing_[i];
    if (sent[i]) continue;
    MPI_Send_init(one.from, message_length(one.bytes), MPI_BYTE, one.rank, one.tag, comm_, &sends_.emplace_back());
  }
}

void Requests::start() {
  ++exchange_;
  copies_done_ = copied_.empty();
  for (const Copied& message : shown_) ready(message.flags).store(exchange_, std::memory_order_release);
  if (!receives_.empty()) MPI_Startall(static_cast<int>(receives_.size()), receives_.data());
  if (!sends_.empty()) MPI_Startall(static_cast<int>(sends_.size()), sends_.data());
}

// Lets MPI move messages that another rank may be waiting for.
void Requests::progress() const {
  int here = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &here, MPI_STATUS_IGNORE);
}

void Requests::copy_incoming() {
  if (copies_done_) return;
  for (const Copied& message : copied_) {
    wait_for(ready(message.flags), exchange_, [&] { progress(); });
    std::memcpy(message.into, message.from, message.bytes);
    taken(message.flags).store(exchange_, std::memory_order_release);
  }
  copies_done_ = true;
}

void Requests::wait_incoming() {
  copy_incoming();
  MPI_Waitall(static_cast<int>(receives_.size()), receives_.data(), MPI_STATUSES_IGNORE);
}

void Requests::wait_outgoing() {
  copy_incoming();  // where both ranks wait here first, each waits for the copy of the other
  for (const Copied& message : shown_) wait_for(taken(message.flags), exchange_, [&] { progress(); });
  MPI_Waitall(static_cast<int>(sends_.size()), sends_.data(), MPI_STATUSES_IGNORE);
}

}  // namespace tenken
