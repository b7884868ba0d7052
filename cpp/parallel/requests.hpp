// The one engine of exchanges between fixed places in memory. Halo (faces) and Exchange (lists) are made of it.
//
//   Requests requests(comm);
//   std::byte* memory = requests.memory(bytes, "faces");   // where outgoing messages are packed
//   requests.receive(...); requests.send(...); requests.complete();
//   pack; requests.start(); requests.wait_incoming(); unpack; requests.wait_outgoing();
//
// Messages are persistent MPI requests. Where a table of routes is in use (route_table.hpp) and has the route `staged`
// as the fastest for a neighbour on the same node, the neighbour copies the message from the memory of the sender
// instead. The bytes that arrive are the same.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "parallel/shared_memory.hpp"

namespace tenken {

enum class Through {
  fastest,   // by the table of routes in use; messages where there is none
  messages,  // of MPI, always
  memory,    // of the sender, wherever the receiver can read it
};

class Requests {
 public:
  // Collective: messages travel in a communicator of their own, so that no other can match.
  explicit Requests(MPI_Comm comm, Through through = Through::fastest);
  ~Requests();
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  // Collective, at most once, before the first message: memory of this object, zero-filled, that neighbours on the
  // same node may read. A message from elsewhere always goes through MPI.
  std::byte* memory(std::size_t bytes, std::string_view purpose);

  // One message of each exchange. Two messages between the same ranks need different tags. Throws UserError where
  // `bytes` is more than one message may have.
  void receive(int rank, int tag, std::byte* into, std::size_t bytes);
  void send(int rank, int tag, const std::byte* from, std::size_t bytes);
  void complete();  // collective: all messages are known

  void start();          // receives first, then sends
  void wait_incoming();  // all that others send is here
  void wait_outgoing();  // what was sent may be written again

  // Sent by this rank in one exchange.
  std::int64_t messages() const { return messages_; }
  std::int64_t bytes() const { return bytes_; }
  std::int64_t through_memory() const { return static_cast<std::int64_t>(shown_.size()); }

  MPI_Comm comm() const { return comm_; }

 private:
  struct Message {
    int rank, tag;
    std::byte* into;
    const std::byte* from;
    std::size_t bytes;
  };
  // A message that the receiver copies from the memory of the sender: the exchange that is ready there, and the last
  // exchange that was copied.
  struct Copied {
    std::byte* flags;
    std::byte* into;
    const std::byte* from;
    std::size_t bytes;
  };

  void agree_on_memory(std::vector<bool>& sent, std::vector<bool>& received);
  std::vector<bool> offered() const;
  void copy_incoming();
  void progress() const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  Through through_;
  Buffer<std::byte> own_;
  std::unique_ptr<SharedMemory> shared_;  // instead of own_
  std::unique_ptr<SharedMemory> flags_;
  std::vector<Message> incoming_, outgoing_;
  std::vector<MPI_Request> receives_, sends_;
  std::vector<Copied> shown_, copied_;  // messages of this rank, messages to this rank
  std::int64_t exchange_ = 0;
  bool copies_done_ = true;
  std::int64_t messages_ = 0;
  std::int64_t bytes_ = 0;
};

// Messages of all Requests of this process that go through memory.
std::int64_t messages_through_memory();

}  // namespace tenken
