// The kernels of the variant `cuda`. Compiled by a C++ compiler the same source is loops on the host (gpu/form.hpp).
#include <algorithm>

#include "device/device.hpp"
#include "gpu/message_card_of.hpp"
#include "gpu/reduce.hpp"
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

class Card final : public gpu::MessageCardOf<Device> {
 public:
  explicit Card(int card)
      : gpu::MessageCardOf<Device>(card), found_(std::make_unique<gpu::Reduction<Found>>(most_blocks)) {}

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

 private:
  std::unique_ptr<gpu::Reduction<Found>> found_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace mpi_pt2pt::device::TENKEN_GPU_FORM
