// The part of a MessageCard that is alike in all checks, for their kernel.cu: `class Card final : public
// gpu::MessageCardOf<Device>`, with a Device that adds kernels to MessageCard.
#pragma once

#include "gpu/message_card.hpp"
#include "gpu/runtime.hpp"
#include "gpu/stopwatch.hpp"

namespace tenken::gpu {
inline namespace TENKEN_GPU_FORM {

template <class Device>
class MessageCardOf : public Device {
 public:
  explicit MessageCardOf(int card) : card_(card) {
    use(card);
    out_ = std::make_unique<Queue>();
    in_ = std::make_unique<Queue>();
  }

  Facts facts() const override { return gpu::facts(); }
  SectionCost section_cost() override { return gpu::section_cost(); }
  int number() const override { return card_; }
  bool memory_of_host() const override { return TENKEN_GPU_ON_CARD == 0; }

  void select() override { use_again(card_); }
  Memory on_card(std::size_t bytes) override {
    return {static_cast<std::byte*>(allocate(bytes, "messages")), [](std::byte* memory) { release(memory); }};
  }
  Memory pinned(std::size_t bytes) override {
    return {static_cast<std::byte*>(allocate_pinned(bytes, "messages")),
            [](std::byte* memory) { release_pinned(memory); }};
  }
  void flip(std::byte* where) override {
    std::byte byte{};
    copy(&byte, where, 1, Way::to_host);
    byte ^= std::byte{1};
    copy(where, &byte, 1, Way::to_card);
  }
  void wait() override { gpu::wait(); }

  void copy_out(std::byte* host, const std::byte* card, std::size_t bytes) override {
    out_->copy(host, card, bytes, Way::to_host);
  }
  void copy_in(std::byte* card, const std::byte* host, std::size_t bytes) override {
    in_->copy(card, host, bytes, Way::to_card);
  }
  void wait_out() override { out_->wait(); }
  void wait_in() override { in_->wait(); }

  bool connect(MessageCard& other) override {
    if (other.number() == card_) return true;
    if (peer_rank(card_, other.number()) < 0 || peer_rank(other.number(), card_) < 0) return false;
    other.select();
    allow_peer(card_);
    select();
    allow_peer(other.number());
    return true;
  }
  void copy_to(MessageCard& other, std::byte* to, const std::byte* from, std::size_t bytes) override {
    out_->between(to, other.number(), from, card_, bytes);
  }

 private:
  int card_;
  std::unique_ptr<Queue> out_, in_;
};

}  // namespace TENKEN_GPU_FORM
}  // namespace tenken::gpu
