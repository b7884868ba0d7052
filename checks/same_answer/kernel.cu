// The kernels of the variant `cuda`. Compiled by a C++ compiler the same source is loops on the host (gpu/form.hpp).
// Every operation is exactly rounded and in a fixed order, so all multiprocessors and the host have the same bits.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "device/device.hpp"
#include "gpu/buffers.hpp"
#include "gpu/launch.hpp"
#include "gpu/stopwatch.hpp"

namespace same_answer::device::TENKEN_GPU_FORM {

namespace {

namespace gpu = tenken::gpu;
using gpu::At;

constexpr int gemm_order = 96;  // as kernel.hpp, which is C++20

TENKEN_DEVICE inline std::uint64_t rotated(std::uint64_t x, int by) { return by == 0 ? x : x << by | x >> (64 - by); }

TENKEN_DEVICE inline std::uint64_t bits_of(double x) {
  std::uint64_t bits = 0;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// As tenken::mix64 (base/random.hpp), which a card cannot call.
TENKEN_DEVICE inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The answer of a thread: one kernel each.
struct Fma {
  TENKEN_DEVICE std::uint64_t operator()(At at) const {
    double x[fma_chains];
    for (int chain = 0; chain < fma_chains; ++chain)
      x[chain] = static_cast<double>(1 + at.thread + chain * threads) / (2 + fma_chains * threads);
    for (int step = 0; step < fma_steps; ++step) {
      for (int chain = 0; chain < fma_chains; ++chain) {
        const double grown = fma_growth * x[chain];
        x[chain] = fma(-grown, x[chain], grown);
      }
    }
    std::uint64_t answer = 0;
    for (int chain = 0; chain < fma_chains; ++chain) answer = rotated(answer, 1) ^ bits_of(x[chain]);
    return answer;
  }
};

// Elements `thread`, `thread` + threads, ... of the product.
struct Gemm {
  const double* a;
  const double* b;
  TENKEN_DEVICE std::uint64_t operator()(At at) const {
    std::uint64_t answer = 0;
    for (int element = at.thread; element < gemm_order * gemm_order; element += threads) {
      const double* const row = a + element / gemm_order * gemm_order;
      const double* const column = b + element % gemm_order;
      double sum = 0;
      for (int k = 0; k < gemm_order; ++k) sum = fma(row[k], column[k * gemm_order], sum);
      answer = rotated(answer, 1) ^ bits_of(sum);
    }
    return answer;
  }
};

struct Integer {
  TENKEN_DEVICE std::uint64_t operator()(At at) const {
    auto z = static_cast<std::uint64_t>(at.thread);
    for (int i = 0; i < integer_steps; ++i) z = mixed(z ^ static_cast<std::uint64_t>(i)) + rotated(z, i % 64);
    return z;
  }
};

// As memory_answer (kernel.hpp), on memory of this thread. Neighbouring threads have neighbouring words.
struct Memory {
  std::uint64_t* memory;
  std::int64_t words;  // of a thread

  TENKEN_DEVICE std::uint64_t operator()(At at) const {
    volatile std::uint64_t* const own = memory + at.block * words * threads + at.thread;  // every access happens
    std::uint64_t sum = 0;
    for (int number = 0; number < 4; ++number) {
      const std::uint64_t pattern = pattern_of(number);
      for (std::int64_t i = 0; i < words; ++i) own[i * threads] = pattern ^ static_cast<std::uint64_t>(i);
      for (std::int64_t i = 0; i < words; ++i) {
        sum = rotated(sum, 1) ^ own[i * threads];
        own[i * threads] = ~(pattern ^ static_cast<std::uint64_t>(i));
      }
      for (std::int64_t i = words; i-- > 0;) sum = rotated(sum, 1) ^ own[i * threads];
    }
    return sum;
  }

 private:
  TENKEN_DEVICE static std::uint64_t pattern_of(int number) {
    constexpr std::uint64_t bytes[] = {0, 0x5555555555555555u, 0x0123456789abcdefu, 0xff00ff00ff00ff00u};
    return bytes[number];
  }
};

template <class Unit>
struct Answered {
  static constexpr int threads = device::threads;
  Unit unit;
  std::uint64_t* words;
  std::int32_t* multiprocessor;  // of each block

  TENKEN_DEVICE void operator()(At at) const {
    words[at.first()] = unit(at);
    if (at.thread == 0) multiprocessor[at.block] = gpu::multiprocessor_of(at.block);
  }
};

class Card final : public Device {
 public:
  explicit Card(int card) {
    gpu::use(card);
    blocks_ = std::max(gpu::facts().multiprocessors, 1) * blocks_of_multiprocessor;
    answers_ = gpu::CardBuffer<std::uint64_t>(static_cast<std::size_t>(blocks_) * threads, "answers of threads");
    places_ = gpu::CardBuffer<std::int32_t>(static_cast<std::size_t>(blocks_), "multiprocessors of blocks");
    watch_ = std::make_unique<gpu::Stopwatch>();
  }

  gpu::Facts facts() const override { return gpu::facts(); }
  gpu::SectionCost section_cost() override { return gpu::section_cost(); }
  std::int64_t blocks() const override { return blocks_; }

  void allocate(std::int64_t words, const std::vector<double>& a, const std::vector<double>& b) override {
    words_ = words;
    a_ = gpu::CardBuffer<double>(a.size(), "a factor of the matrix product");
    b_ = gpu::CardBuffer<double>(b.size(), "a factor of the matrix product");
    a_.from_host(a.data());
    b_.from_host(b.data());
    memory_ = gpu::CardBuffer<std::uint64_t>(static_cast<std::size_t>(words * threads * blocks_), "the memory march");
  }

  Answers run(std::size_t kernel) override {
    answers_.clear();  // an answer of an earlier pass is none of this pass
    watch_->start();
    if (kernel == 0) queue(Fma{});
    if (kernel == 1) queue(Gemm{a_.data(), b_.data()});
    if (kernel == 2) queue(Integer{});
    if (kernel == 3) queue(Memory{memory_.data(), words_});
    watch_->stop();
    Answers answers;
    answers.ns = watch_->ns();
    answers.words.resize(answers_.size());
    answers_.to_host(answers.words.data());
    answers.multiprocessor.resize(places_.size());
    places_.to_host(answers.multiprocessor.data());
    return answers;
  }

 private:
  template <class Unit>
  void queue(const Unit& unit) {
    gpu::launch(blocks_, Answered<Unit>{unit, answers_.data(), places_.data()});
  }

  int blocks_ = 1;
  std::int64_t words_ = 0;
  gpu::CardBuffer<double> a_, b_;
  gpu::CardBuffer<std::uint64_t> answers_, memory_;
  gpu::CardBuffer<std::int32_t> places_;
  std::unique_ptr<gpu::Stopwatch> watch_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace same_answer::device::TENKEN_GPU_FORM
