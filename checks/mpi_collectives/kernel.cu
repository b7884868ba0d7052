// The kernels of the variants on cards. Compiled by a C++ compiler the same source is loops on the host (gpu/form.hpp).
#include <algorithm>

#include "device/device.hpp"
#include "gpu/message_card_of.hpp"
#include "gpu/reduce.hpp"
#include "payload.hpp"
#include "summands.hpp"

namespace mpi_collectives::device::TENKEN_GPU_FORM {

namespace {

namespace gpu = tenken::gpu;
using gpu::At;

constexpr int threads_of_block = 256;
constexpr int most_blocks = 1024;

// What is right at a place of an operand.
struct WordsGiven {
  Pieces of;
  TENKEN_DEVICE std::uint32_t operator()(std::int64_t i) const {
    return word(key_of(of.sample, of.rank, static_cast<int>(i / of.words)), static_cast<std::size_t>(i % of.words));
  }
};
struct WordsGot {
  Pieces of;
  TENKEN_DEVICE std::uint32_t operator()(std::int64_t i) const {
    return word(key_of(of.sample, static_cast<int>(i / of.words), of.rank), static_cast<std::size_t>(i % of.words));
  }
};
struct Given {
  Summands of;
  TENKEN_DEVICE double operator()(std::int64_t i) const {
    return summand(of.rank, of.sample, static_cast<std::size_t>(i));
  }
};
struct Sum {
  Summands of;
  TENKEN_DEVICE double operator()(std::int64_t i) const {
    return exact_sum(of.ranks, of.sample, static_cast<std::size_t>(i));
  }
};
struct SmallGiven {
  Summands of;
  TENKEN_DEVICE std::int32_t operator()(std::int64_t i) const {
    return small_summand(of.rank, of.sample, static_cast<std::size_t>(i));
  }
};
struct SmallSum {
  Summands of;
  TENKEN_DEVICE std::int32_t operator()(std::int64_t i) const {
    return exact_small_sum(of.ranks, of.sample, static_cast<std::size_t>(i));
  }
};

template <class Value, class Right>
struct Written {
  static constexpr int threads = threads_of_block;
  Right right;
  Value* to;
  std::int64_t n;

  TENKEN_DEVICE void operator()(At at) const {
    for (std::int64_t i = at.first(); i < n; i += at.stride()) to[i] = right(i);
  }
};

struct Found {
  std::int64_t bytes;
  std::int64_t first;
};

TENKEN_DEVICE inline int differing_bytes(std::uint32_t a, std::uint32_t b) {
  int bytes = 0;
  for (std::uint32_t left = a ^ b; left != 0; left >>= 8) bytes += (left & 0xff) != 0 ? 1 : 0;
  return bytes;
}
// A wrong sum is wrong in all of its bytes.
TENKEN_DEVICE inline int differing_bytes(double a, double b) { return a == b ? 0 : 8; }
TENKEN_DEVICE inline int differing_bytes(std::int32_t a, std::int32_t b) { return a == b ? 0 : 4; }

template <class Type, class Right>
struct Compared {
  static constexpr int threads = threads_of_block;
  using Value = Found;
  Right right;
  const Type* in;
  std::int64_t begin, end;

  TENKEN_DEVICE Found operator()(At at) const {
    Found found{0, end};
    for (std::int64_t i = begin + at.first(); i < end; i += at.stride()) {
      const int bytes = differing_bytes(in[i], right(i));
      if (bytes > 0 && i < found.first) found.first = i;
      found.bytes += bytes;
    }
    return found;
  }
  TENKEN_DEVICE static Found combine(Found a, Found b) {
    return {a.bytes + b.bytes, a.first < b.first ? a.first : b.first};
  }
};

int blocks_for(std::int64_t n) {
  return static_cast<int>(std::clamp<std::int64_t>((n + threads_of_block - 1) / threads_of_block, 1, most_blocks));
}

class Card final : public gpu::MessageCardOf<Device> {
 public:
  explicit Card(int card)
      : gpu::MessageCardOf<Device>(card), found_(std::make_unique<gpu::Reduction<Found>>(most_blocks)) {}

  void write(std::byte* to, const Pieces& pieces) override {
    fill<std::uint32_t>(to, WordsGiven{pieces}, pieces.words * pieces.ranks);
  }
  Wrong wrong(const std::byte* in, const Pieces& pieces) override {
    return compare<std::uint32_t>(in, WordsGot{pieces}, 0, pieces.words * pieces.ranks);
  }
  Wrong wrong_of(const std::byte* in, const Pieces& pieces, int source) override {
    return compare<std::uint32_t>(in, WordsGot{pieces}, pieces.words * source, pieces.words * (source + 1));
  }
  void write(std::byte* to, const Summands& numbers) override {
    if (numbers.doubles) return fill<double>(to, Given{numbers}, numbers.n);
    fill<std::int32_t>(to, SmallGiven{numbers}, numbers.n);
  }
  Wrong wrong(const std::byte* sums, const Summands& numbers) override {
    if (numbers.doubles) return compare<double>(sums, Sum{numbers}, 0, numbers.n);
    return compare<std::int32_t>(sums, SmallSum{numbers}, 0, numbers.n);
  }

 private:
  template <class Type, class Right>
  static void fill(std::byte* to, const Right& right, std::int64_t n) {
    gpu::launch(blocks_for(n), Written<Type, Right>{right, reinterpret_cast<Type*>(to), n});
    gpu::wait();
  }
  template <class Type, class Right>
  Wrong compare(const std::byte* in, const Right& right, std::int64_t begin, std::int64_t end) {
    const Compared<Type, Right> kernel{right, reinterpret_cast<const Type*>(in), begin, end};
    const Found found = (*found_)(blocks_for(end - begin), kernel);
    if (found.bytes == 0) return {};
    return {found.bytes, found.first};
  }

  std::unique_ptr<gpu::Reduction<Found>> found_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace mpi_collectives::device::TENKEN_GPU_FORM
