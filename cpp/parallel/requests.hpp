// The one engine of exchanges: persistent MPI requests between fixed places in memory. Halo (faces) and Exchange
// (lists) are made of it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenken {

class Requests {
 public:
  // Collective: messages travel in a communicator of their own, so that no other can match.
  explicit Requests(MPI_Comm comm);
  ~Requests();
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  // One message of each exchange. Two messages between the same ranks need different tags. Throws UserError where
  // `bytes` is more than one message may have.
  void receive(int rank, int tag, std::byte* into, std::size_t bytes);
  void send(int rank, int tag, const std::byte* from, std::size_t bytes);

  void start();          // receives first, then sends
  void wait_incoming();  // all that others send is here
  void wait_outgoing();  // what was sent may be written again

  // Sent by this rank in one exchange.
  std::int64_t messages() const { return static_cast<std::int64_t>(sends_.size()); }
  std::int64_t bytes() const { return bytes_; }

  MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<MPI_Request> receives_;
  std::vector<MPI_Request> sends_;
  std::int64_t bytes_ = 0;
};

}  // namespace tenken
