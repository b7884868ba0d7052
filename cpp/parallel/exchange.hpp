// Exchange of fields by lists of items, all fields in one message to each neighbour. Its steps are calls of their own,
// so that a check can time them apart:
//
//   Exchange exchange(comm, lists, {{sizeof(double)}, {sizeof(float)}});
//   exchange.pack(0, v); exchange.pack(1, w);  exchange.start();  ...work that needs no halo...
//   exchange.wait_incoming();  exchange.unpack(0, v); exchange.unpack(1, w);  exchange.wait_outgoing();
//
// For values of shared nodes `add` takes the place of unpack: each node becomes the sum over all ranks that have it, in
// the order of ranks, so that all of them get the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "parallel/item_list.hpp"
#include "parallel/neighbours.hpp"
#include "parallel/requests.hpp"

namespace tenken {

// One value for each item of the lists.
struct Field {
  std::size_t bytes;      // of an item
  void* bound = nullptr;  // where the field always lies, if it does not change
};

class Exchange {
 public:
  // Collective; the same fields on every rank. Throws UserError as require_valid does.
  //
  // A single field that is bound travels without a copy where a list is one run of items: it must then not be touched
  // between start and wait (received items until wait_incoming, sent ones until wait_outgoing).
  Exchange(MPI_Comm comm, const Lists& lists, const std::vector<Field>& fields);

  void pack(std::size_t field, const void* items);
  void start() { requests_.start(); }
  void wait_incoming() { requests_.wait_incoming(); }
  void unpack(std::size_t field, void* items);  // also copies what wraps onto this rank
  void wait_outgoing() { requests_.wait_outgoing(); }

  // Only of fields that are not bound. Real: double or float, the type of the field.
  template <class Real>
  void add(std::size_t field, Real* items);

  // Of one exchange of this rank; as many are received as sent where both lists of every neighbour are equally long.
  std::int64_t messages() const { return requests_.messages(); }
  std::int64_t bytes() const { return requests_.bytes(); }

 private:
  struct Part {
    ItemList list;
    bool direct = false;                 // travels from or to the field itself
    std::vector<std::byte*> of_field{};  // where each field's part of the message is
  };
  struct Pair {
    int rank;
    Part outgoing;
    Part incoming;
  };

  std::size_t message_bytes(const Part& part) const;
  std::byte* lay_out(Part& part, std::byte* memory) const;  // returns the end

  int rank_ = 0;
  std::vector<Field> fields_;
  std::vector<Pair> pairs_;  // by rank
  std::vector<std::int32_t> wrap_from_;
  std::vector<std::int32_t> wrap_to_;
  std::vector<std::int32_t> shared_;  // received items, each once: what add() works on
  Buffer<std::byte> own_;             // of add
  Requests requests_;                 // its memory has the packed messages
};

}  // namespace tenken
