#include "parallel/exchange.hpp"

#include <algorithm>
#include <cstring>

namespace tenken {

namespace {

// Parts of a message start at addresses good for any number, messages at lines of their own.
constexpr std::size_t part_alignment = 16;
constexpr std::size_t message_alignment = 64;
constexpr std::size_t rounded(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

std::size_t Exchange::message_bytes(const Part& part) const {
  std::size_t bytes = 0;
  for (const Field& field : fields_) bytes = rounded(bytes, part_alignment) + part.list.size() * field.bytes;
  return bytes;
}

std::byte* Exchange::lay_out(Part& part, std::byte* memory) const {
  part.direct = fields_.size() == 1 && fields_[0].bound != nullptr && part.list.one_run();
  if (part.direct) {
    const std::size_t first = static_cast<std::size_t>(part.list.items()[0]) * fields_[0].bytes;
    part.of_field = {static_cast<std::byte*>(fields_[0].bound) + first};
    return memory;
  }
  std::size_t at = 0;
  for (const Field& field : fields_) {
    at = rounded(at, part_alignment);
    part.of_field.push_back(memory + at);
    at += part.list.size() * field.bytes;
  }
  return memory + rounded(at, message_alignment);
}

Exchange::Exchange(MPI_Comm comm, const Lists& lists, const std::vector<Field>& fields)
    : fields_(fields), wrap_from_(lists.wrap_from), wrap_to_(lists.wrap_to), requests_(comm) {
  require_valid(comm, lists);
  MPI_Comm_rank(comm, &rank_);
  std::size_t bytes = 0;
  for (const Neighbour& one : lists.neighbours) {
    pairs_.push_back({one.rank, {ItemList(one.send)}, {ItemList(one.receive)}});
    shared_.insert(shared_.end(), one.receive.begin(), one.receive.end());
    for (const Part* part : {&pairs_.back().outgoing, &pairs_.back().incoming}) {
      bytes += rounded(message_bytes(*part), message_alignment);
    }
  }
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.rank < b.rank; });
  std::sort(shared_.begin(), shared_.end());
  shared_.erase(std::unique(shared_.begin(), shared_.end()), shared_.end());
  std::size_t widest = 0;
  for (const Field& field : fields_) widest = std::max(widest, field.bytes);
  own_ = Buffer<std::byte>(shared_.size() * widest, Pages::any, "sums of shared nodes");

  std::byte* next = requests_.memory(bytes, "messages to neighbours");
  constexpr int tag = 0;
  for (Pair& pair : pairs_) {
    next = lay_out(pair.outgoing, next);
    next = lay_out(pair.incoming, next);
    // An empty list is no message, on either side.
    if (pair.incoming.list.size() > 0) {
      requests_.receive(pair.rank, tag, pair.incoming.of_field[0], message_bytes(pair.incoming));
    }
    if (pair.outgoing.list.size() > 0) {
      requests_.send(pair.rank, tag, pair.outgoing.of_field[0], message_bytes(pair.outgoing));
    }
  }
  requests_.complete();
}

void Exchange::pack(std::size_t field, const void* items) {
  for (const Pair& pair : pairs_) {
    const Part& part = pair.outgoing;
    if (part.direct) continue;
    part.list.pack(fields_[field].bytes, static_cast<const std::byte*>(items), part.of_field[field]);
  }
}

void Exchange::unpack(std::size_t field, void* items) {
  const std::size_t bytes = fields_[field].bytes;
  std::byte* const to = static_cast<std::byte*>(items);
  for (const Pair& pair : pairs_) {
    const Part& part = pair.incoming;
    if (!part.direct) part.list.unpack(bytes, part.of_field[field], to);
  }
  for (std::size_t i = 0; i < wrap_from_.size(); ++i) {
    std::memcpy(to + static_cast<std::size_t>(wrap_to_[i]) * bytes,
                to + static_cast<std::size_t>(wrap_from_[i]) * bytes, bytes);
  }
}

template <class Real>
void Exchange::add(std::size_t field, Real* items) {
  Real* const own = reinterpret_cast<Real*>(own_.data());
  for (std::size_t k = 0; k < shared_.size(); ++k) {
    own[k] = items[shared_[k]];
    items[shared_[k]] = 0;
  }
  const auto add_own = [&] {
    for (std::size_t k = 0; k < shared_.size(); ++k) items[shared_[k]] += own[k];
  };
  bool added = false;
  for (const Pair& pair : pairs_) {
    if (!added && pair.rank > rank_) {
      add_own();
      added = true;
    }
    const Real* const from = reinterpret_cast<const Real*>(pair.incoming.of_field[field]);
    for (std::size_t i = 0; i < pair.incoming.list.size(); ++i) items[pair.incoming.list.items()[i]] += from[i];
  }
  if (!added) add_own();
}

template void Exchange::add(std::size_t, double*);
template void Exchange::add(std::size_t, float*);

}  // namespace tenken
