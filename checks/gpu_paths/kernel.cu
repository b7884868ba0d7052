// Copies by the runtime of the cards. Compiled by a C++ compiler the same source copies memory of the host
// (gpu/form.hpp).
#include <deque>
#include <set>
#include <utility>

#include "gpu/buffers.hpp"
#include "gpu/launch.hpp"
#include "paths.hpp"

namespace tenken::gpu_paths::TENKEN_GPU_FORM {

namespace {

struct Nothing {
  static constexpr int threads = 1;
  TENKEN_DEVICE void operator()(gpu::At) const {}
};

struct OneCard {
  OneCard(int number, std::size_t words)
      : index(number),
        first(words, "paths"),
        second(words, "paths"),
        pinned_source(words, "paths"),
        pinned_target(words, "paths"),
        source(words),
        target(words) {}

  std::uint64_t* from(Host kind) { return kind == Host::pinned ? pinned_source.data() : source.data(); }
  std::uint64_t* to(Host kind) { return kind == Host::pinned ? pinned_target.data() : target.data(); }

  int index;
  gpu::CardBuffer<std::uint64_t> first, second;
  gpu::PinnedBuffer<std::uint64_t> pinned_source, pinned_target;
  std::vector<std::uint64_t> source, target;
  gpu::Queue in, out;
};

class AllCards final : public Cards {
 public:
  explicit AllCards(std::size_t words) : words_(words), bytes_(words * sizeof(std::uint64_t)) {}

  void add(int card) override {
    gpu::use(card);
    cards_.emplace_back(card, words_);
  }

  void to_card(int card, Host kind) override {
    start_to_card(at(card), kind);
    at(card).in.wait();
  }
  void to_host(int card, Host kind) override {
    start_to_host(at(card), kind);
    at(card).out.wait();
  }
  void both(int card) override {
    OneCard& of = at(card);
    of.in.copy(of.second.data(), of.pinned_source.data(), bytes_, gpu::Way::to_card);
    start_to_host(of, Host::pinned);
    of.in.wait();
    of.out.wait();
  }
  void all_to_card() override {
    for (OneCard& of : cards_) start_to_card(of, Host::pinned);
    for (OneCard& of : cards_) of.in.wait();
  }
  void all_to_host() override {
    for (OneCard& of : cards_) start_to_host(of, Host::pinned);
    for (OneCard& of : cards_) of.out.wait();
  }
  void between(int from, int to) override {
    start_between(at(from), at(to));
    at(from).out.wait();
  }
  void exchange(int one, int two) override {
    start_between(at(one), at(two));
    start_between(at(two), at(one));
    at(one).out.wait();
    at(two).out.wait();
  }
  void fetch(int card) override {
    OneCard& of = at(card);
    of.out.copy(of.pinned_target.data(), of.second.data(), bytes_, gpu::Way::to_host);
    of.out.wait();
  }
  void launch(int card) override {
    gpu::use_again(at(card).index);
    gpu::launch(1, Nothing{});
    gpu::wait();
  }

  void connect(int without_one, int without_two) override {
    for (OneCard& from : cards_) {
      for (OneCard& to : cards_) {
        const bool left_out = (from.index == without_one && to.index == without_two) ||
                              (from.index == without_two && to.index == without_one);
        if (from.index == to.index || left_out || gpu::peer_rank(from.index, to.index) < 0) continue;
        gpu::use_again(from.index);
        gpu::allow_peer(to.index);
        connected_.insert({from.index, to.index});
      }
    }
  }
  int peer_rank(int from, int to) const override {
    const std::pair<int, int> pair{cards_[static_cast<std::size_t>(from)].index,
                                   cards_[static_cast<std::size_t>(to)].index};
    return connected_.count(pair) == 0 ? -1 : gpu::peer_rank(pair.first, pair.second);
  }

  std::uint64_t* source(int card, Host kind) override { return at(card).from(kind); }
  std::uint64_t* target(int card, Host kind) override { return at(card).to(kind); }

 private:
  OneCard& at(int card) { return cards_[static_cast<std::size_t>(card)]; }

  void start_to_card(OneCard& of, Host kind) { of.in.copy(of.first.data(), of.from(kind), bytes_, gpu::Way::to_card); }
  void start_to_host(OneCard& of, Host kind) { of.out.copy(of.to(kind), of.first.data(), bytes_, gpu::Way::to_host); }
  void start_between(OneCard& from, OneCard& to) {
    from.out.between(to.second.data(), to.index, from.first.data(), from.index, bytes_);
  }

  std::size_t words_, bytes_;
  std::deque<OneCard> cards_;  // never moved
  std::set<std::pair<int, int>> connected_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Cards> make(std::size_t words) { return std::make_unique<AllCards>(words); }

}  // namespace tenken::gpu_paths::TENKEN_GPU_FORM
