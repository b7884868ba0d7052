// Stands for the runtime where no card is used: memory of the host, copies at once, a card that tests describe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gpu/trouble.hpp"

namespace tenken::gpu {
inline namespace on_host {

// The facts that the stand-in reports, and the call that fails. Tests change both.
struct StandIn {
  Facts card = described();
  Trouble next = Trouble::none;  // of the next call that can fail
  std::int64_t in_use = 0;       // bytes of the card that are allocated
  std::int64_t clock = 0;        // ns

 private:
  static Facts described() {
    Facts card;
    card.count = 1;
    card.name = "host";
    card.multiprocessors = 4;
    card.memory_bytes = std::int64_t{1} << 30;
    return card;
  }
};

inline StandIn& stand_in() {
  static StandIn card;
  return card;
}

// Of card `index`: all cards are alike but for their numbers.
inline Facts facts_of(int index) {
  Facts card = stand_in().card;
  card.index = index;
  card.id = "host-" + std::to_string(index);
  return card;
}

inline Facts facts() {
  Facts card = facts_of(stand_in().card.index);
  card.free_bytes = card.memory_bytes - stand_in().in_use;
  return card;
}

inline void expect(const std::string& call) {
  const Trouble trouble = stand_in().next;
  stand_in().next = Trouble::none;
  if (trouble != Trouble::none) raise(trouble, facts(), call, "planted");
}

inline int count() {
  expect("count");
  if (stand_in().card.count == 0) raise(Trouble::no_card, Facts{}, "count", "0 devices");
  return stand_in().card.count;
}

inline void use(int card) {
  if (card < 0 || card >= stand_in().card.count)
    raise(Trouble::no_card, facts(), "use(" + std::to_string(card) + ")", "no such card");
  expect("use");
  stand_in().card.index = card;
}

inline void use_again(int card) { use(card); }

// All pairs of cards are alike.
inline int peer_rank(int, int) { return 0; }
inline void allow_peer(int) { expect("peer access"); }

namespace detail {
// Sizes lie before the bytes, so that release counts the bytes that it frees.
constexpr std::size_t head = 64;
inline void* get(std::size_t bytes) {
  auto* const whole = static_cast<char*>(std::aligned_alloc(head, head + (bytes + head - 1) / head * head));
  std::memcpy(whole, &bytes, sizeof bytes);
  return whole + head;
}
inline std::size_t give_back(void* memory) noexcept {
  std::size_t bytes = 0;
  if (memory == nullptr) return 0;
  std::memcpy(&bytes, static_cast<char*>(memory) - head, sizeof bytes);
  std::free(static_cast<char*>(memory) - head);
  return bytes;
}
}  // namespace detail

inline void* allocate(std::size_t bytes, const std::string& purpose) {
  if (bytes == 0) return nullptr;
  const std::string call = "allocation of " + std::to_string(bytes) + " bytes for " + purpose;
  expect(call);
  if (static_cast<std::int64_t>(bytes) > facts().free_bytes) raise(Trouble::no_memory, facts(), call, "out of memory");
  stand_in().in_use += static_cast<std::int64_t>(bytes);
  return detail::get(bytes);
}

inline void release(void* memory) noexcept {
  stand_in().in_use -= static_cast<std::int64_t>(detail::give_back(memory));
}

inline void* allocate_pinned(std::size_t bytes, const std::string& purpose) {
  if (bytes == 0) return nullptr;
  expect("pinned allocation of " + std::to_string(bytes) + " bytes for " + purpose);
  return detail::get(bytes);
}

inline void release_pinned(void* memory) noexcept { detail::give_back(memory); }

inline void wait() { expect("a kernel or copy"); }

inline void copy_later(void* to, const void* from, std::size_t bytes, Way) {
  expect("copy of " + std::to_string(bytes) + " bytes");
  if (bytes > 0) std::memcpy(to, from, bytes);
}

inline void copy(void* to, const void* from, std::size_t bytes, Way way) { copy_later(to, from, bytes, way); }

inline void clear(void* to, std::size_t bytes) {
  if (bytes > 0) std::memset(to, 0, bytes);
}

inline void expect_launched(const char* kernel) { expect(std::string("launch of ") + kernel); }

// Copies at once.
class Queue {
 public:
  void copy(void* to, const void* from, std::size_t bytes, Way way) { copy_later(to, from, bytes, way); }
  void between(void* to, int, const void* from, int, std::size_t bytes) { copy_later(to, from, bytes, Way::on_card); }
  void wait() { expect("a copy"); }
};

// The clock of the stand-in has exactly 1 GHz, where a kernel reads cycles and time in this order: each reading of
// cycles is a microsecond later.
inline std::int64_t clock_cycles() { return stand_in().clock += 1000; }
inline std::int64_t clock_ns() { return stand_in().clock; }

// The multiprocessors of the stand-in get the blocks in turn.
inline int multiprocessor_of(int block) { return block % stand_in().card.multiprocessors; }

class Event {
 public:
  void record() { at_ = std::chrono::steady_clock::now(); }
  void wait_for() const {}
  double ms_since(const Event& earlier) const {
    return std::chrono::duration<double, std::milli>(at_ - earlier.at_).count();
  }

 private:
  std::chrono::steady_clock::time_point at_{};
};

}  // namespace on_host
}  // namespace tenken::gpu
