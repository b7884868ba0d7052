// The kernels of the variant `cuda`. Compiled by a C++ compiler the same source is loops on the host (gpu/form.hpp).
#include <algorithm>

#include "device/device.hpp"
#include "gpu/buffers.hpp"
#include "gpu/reduce.hpp"
#include "gpu/stopwatch.hpp"
#include "payload.hpp"

namespace mpi_pt2pt::device::TENKEN_GPU_FORM {

namespace {

namespace gpu = tenken::gpu;
using gpu::At;

constexpr int word_bytes = 8;
constexpr int most_blocks = 1024;

// Words of all messages of a batch, the last of each message with fewer bytes where its size is no multiple of 8.
struct Words {
  Batch batch;

  TENKEN_DEVICE std::int64_t of_message() const { return (batch.bytes + word_bytes - 1) / word_bytes; }
  TENKEN_DEVICE std::int64_t all() const { return of_message() * batch.count; }
  TENKEN_DEVICE std::int64_t offset(std::int64_t i) const {
    return i / of_message() * batch.stride + i % of_message() * word_bytes;
  }
  TENKEN_DEVICE int bytes(std::int64_t i) const {
    const std::int64_t left = batch.bytes - i % of_message() * word_bytes;
    return left < word_bytes ? static_cast<int>(left) : word_bytes;
  }
  TENKEN_DEVICE std::uint64_t right(std::int64_t i) const {
    const std::uint64_t number = batch.first + static_cast<std::uint64_t>(i / of_message());
    return payload_word(tenken::mix64(number), static_cast<std::uint64_t>(i % of_message()));
  }
  int blocks(int threads) const {
    return static_cast<int>(std::clamp<std::int64_t>((all() + threads - 1) / threads, 1, most_blocks));
  }
};

struct Written {
  static constexpr int threads = 256;
  Words words;
  unsigned char* to;

  TENKEN_DEVICE void operator()(At at) const {
    for (std::int64_t i = at.first(); i < words.all(); i += at.stride()) {
      unsigned char* const place = to + words.offset(i);
      const std::uint64_t word = words.right(i);
      if (words.bytes(i) == word_bytes) {
        *reinterpret_cast<std::uint64_t*>(place) = word;
      } else {
        for (int byte = 0; byte < words.bytes(i); ++byte) place[byte] = static_cast<unsigned char>(word >> (8 * byte));
      }
    }
  }
};

struct Found {
  std::int64_t bytes;
  std::int64_t first;  // of the wrong words
};

struct Compared {
  static constexpr int threads = 256;
  using Value = Found;
  Words words;
  const unsigned char* in;

  TENKEN_DEVICE Found operator()(At at) const {
    Found found{0, words.all()};
    for (std::int64_t i = at.first(); i < words.all(); i += at.stride()) {
      const unsigned char* const place = in + words.offset(i);
      const std::uint64_t word = words.right(i);
      if (words.bytes(i) == word_bytes && *reinterpret_cast<const std::uint64_t*>(place) == word) continue;
      int wrong = 0;
      for (int byte = 0; byte < words.bytes(i); ++byte)
        wrong += place[byte] != static_cast<unsigned char>(word >> (8 * byte)) ? 1 : 0;
      if (wrong > 0 && i < found.first) found.first = i;
      found.bytes += wrong;
    }
    return found;
  }
  TENKEN_DEVICE static Found combine(Found a, Found b) {
    return {a.bytes + b.bytes, a.first < b.first ? a.first : b.first};
  }
};

class Card final : public Device {
 public:
  explicit Card(int card) : card_(card) {
    gpu::use(card);
    found_ = std::make_unique<gpu::Reduction<Found>>(most_blocks);
    out_ = std::make_unique<gpu::Queue>();
    in_ = std::make_unique<gpu::Queue>();
  }

  gpu::Facts facts() const override { return gpu::facts(); }
  gpu::SectionCost section_cost() override { return gpu::section_cost(); }
  int number() const override { return card_; }
  bool memory_of_host() const override { return TENKEN_GPU_ON_CARD == 0; }

  void select() override { gpu::use_again(card_); }
  Memory on_card(std::size_t bytes) override {
    return {static_cast<std::byte*>(gpu::allocate(bytes, "messages of mpi_pt2pt")),
            [](std::byte* memory) { gpu::release(memory); }};
  }
  Memory pinned(std::size_t bytes) override {
    return {static_cast<std::byte*>(gpu::allocate_pinned(bytes, "messages of mpi_pt2pt")),
            [](std::byte* memory) { gpu::release_pinned(memory); }};
  }
  void write(std::byte* to, const Batch& batch) override {
    const Words words{batch};
    gpu::launch(words.blocks(Written::threads), Written{words, reinterpret_cast<unsigned char*>(to)});
    gpu::wait();
  }
  Wrong wrong(const std::byte* in, const Batch& batch) override {
    const Words words{batch};
    const Compared kernel{words, reinterpret_cast<const unsigned char*>(in)};
    const Found found = (*found_)(words.blocks(Compared::threads), kernel);
    if (found.bytes == 0) return {};
    return {found.bytes, found.first / words.of_message(), found.first % words.of_message()};
  }
  void flip(std::byte* where) override {
    std::byte byte{};
    gpu::copy(&byte, where, 1, gpu::Way::to_host);
    byte ^= std::byte{1};
    gpu::copy(where, &byte, 1, gpu::Way::to_card);
  }

  void copy_out(std::byte* host, const std::byte* card, std::size_t bytes) override {
    out_->copy(host, card, bytes, gpu::Way::to_host);
  }
  void copy_in(std::byte* card, const std::byte* host, std::size_t bytes) override {
    in_->copy(card, host, bytes, gpu::Way::to_card);
  }
  void wait_out() override { out_->wait(); }
  void wait_in() override { in_->wait(); }

  bool connect(Device& other) override {
    if (other.number() == card_) return true;
    if (gpu::peer_rank(card_, other.number()) < 0 || gpu::peer_rank(other.number(), card_) < 0) return false;
    other.select();
    gpu::allow_peer(card_);
    select();
    gpu::allow_peer(other.number());
    return true;
  }
  void copy_to(Device& other, std::byte* to, const std::byte* from, std::size_t bytes) override {
    out_->between(to, other.number(), from, card_, bytes);
  }

 private:
  int card_;
  std::unique_ptr<gpu::Reduction<Found>> found_;
  std::unique_ptr<gpu::Queue> out_, in_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace mpi_pt2pt::device::TENKEN_GPU_FORM
