// A card whose memory ranks send messages from. No runtime of a card is named here. C++17, because kernels include it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "gpu/facts.hpp"
#include "gpu/section_cost.hpp"

namespace tenken::gpu {

// Freed with the object.
using Memory = std::unique_ptr<std::byte, std::function<void(std::byte*)>>;

// A card of this process. Errors are UserErrors with the sentence of the card.
class MessageCard {
 public:
  virtual ~MessageCard() = default;
  virtual Facts facts() const = 0;
  virtual SectionCost section_cost() = 0;  // measured by this call; waits
  virtual int number() const = 0;
  virtual bool memory_of_host() const = 0;  // its memory has addresses of the host: loops in place of kernels

  // Of a process with several cards: memory and kernels mean this card from here on.
  virtual void select() = 0;
  virtual Memory on_card(std::size_t bytes) = 0;
  virtual Memory pinned(std::size_t bytes) = 0;  // memory of the host that cards copy by themselves
  virtual void flip(std::byte* where) = 0;       // the lowest bit of a byte; returns when done
  virtual void wait() = 0;                       // for kernels, and for libraries that use the queue of kernels

  // Copies between card and host, queued; the queues of both directions are waited for apart.
  virtual void copy_out(std::byte* host, const std::byte* card, std::size_t bytes) = 0;
  virtual void copy_in(std::byte* card, const std::byte* host, std::size_t bytes) = 0;
  virtual void wait_out() = 0;
  virtual void wait_in() = 0;

  // Lets this card and `other` copy from each other without the host, where they can; whether they can.
  virtual bool connect(MessageCard& other) = 0;
  // Queued in the queue of copy_out, from this card to `other`.
  virtual void copy_to(MessageCard& other, std::byte* to, const std::byte* from, std::size_t bytes) = 0;
};

}  // namespace tenken::gpu
