// What this check does with cards: copies on every path, and an empty kernel. No runtime of a device is named here.
// C++17, because kernel.cu includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/facts.hpp"

namespace tenken::gpu_paths {

// Memory of the host that cards copy by themselves, and memory that the driver must copy first.
enum class Host { pinned, pageable };

// Cards in the order in which they were added, with two blocks of memory each, "first" and "second", and of either kind
// of host memory a source and a target. Every copy returns when all bytes have arrived. Errors are UserErrors.
class Cards {
 public:
  virtual ~Cards() = default;

  // Memory of the host is taken from where the calling thread may take pages.
  virtual void add(int card) = 0;

  virtual void to_card(int card, Host kind) = 0;  // source to first
  virtual void to_host(int card, Host kind) = 0;  // first to target
  virtual void both(int card) = 0;                // pinned source to second, and first to pinned target, at once
  virtual void all_to_card() = 0;                 // as to_card of all cards at once, pinned
  virtual void all_to_host() = 0;
  virtual void between(int from, int to) = 0;   // first of `from` to second of `to`
  virtual void exchange(int one, int two) = 0;  // both directions of between at once
  virtual void fetch(int card) = 0;             // second to pinned target
  virtual void launch(int card) = 0;            // an empty kernel

  // Lets cards copy from each other without the host, where they can, but for the pair `without` (-1: no pair).
  virtual void connect(int without_one, int without_two) = 0;
  // Of the copies from `from` to `to`: -1 over the host, else the rank that the driver gives to the path, 0 the
  // fastest.
  virtual int peer_rank(int from, int to) const = 0;

  virtual std::uint64_t* source(int card, Host kind) = 0;
  virtual std::uint64_t* target(int card, Host kind) = 0;
};

// The functions of one form of kernel.cu: on cards, and in tests on the host.
struct Form {
  std::vector<gpu::Facts> (*cards)();
  std::unique_ptr<Cards> (*make)(std::size_t words);  // of each block of memory
};

namespace on_card {
std::vector<gpu::Facts> cards();
std::unique_ptr<Cards> make(std::size_t words);
}  // namespace on_card
namespace on_host {
std::vector<gpu::Facts> cards();
std::unique_ptr<Cards> make(std::size_t words);
}  // namespace on_host

}  // namespace tenken::gpu_paths
