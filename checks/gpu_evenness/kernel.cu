// The multiply-adds of this check on cards. Compiled by a C++ compiler the same source is loops on the host
// (gpu/form.hpp).
#include <cstring>
#include <deque>

#include "burn.hpp"
#include "chain.hpp"
#include "gpu/buffers.hpp"
#include "gpu/launch.hpp"
#include "gpu/stopwatch.hpp"

namespace tenken::gpu_evenness::TENKEN_GPU_FORM {

namespace {

struct Burn {
  static constexpr int threads = gpu_evenness::threads;
  double* out;
  std::int64_t rounds;

  TENKEN_DEVICE void operator()(gpu::At at) const { out[at.first()] = chain(rounds); }
};

struct OneCard {
  OneCard(int number, int blocks_of_card)
      : index(number), blocks(blocks_of_card), out(static_cast<std::size_t>(blocks) * threads, "results of threads") {}

  int index;
  int blocks;
  gpu::CardBuffer<double> out;
  gpu::Stopwatch watch;
};

class AllCards final : public Cards {
 public:
  void add(int card) override {
    gpu::use(card);
    cards_.emplace_back(card, gpu::facts().multiprocessors * blocks_a_multiprocessor);
  }

  void start(int card, std::int64_t rounds, int kernels) override {
    OneCard& of = at(card);
    gpu::use_again(of.index);
    of.watch.start();
    for (int kernel = 0; kernel < kernels; ++kernel) gpu::launch(of.blocks, Burn{of.out.data(), rounds});
    of.watch.stop();
  }
  double ns(int card) override {
    gpu::use_again(at(card).index);
    return at(card).watch.ns();
  }
  std::int64_t unlike(int card, double expected) override {
    gpu::use_again(at(card).index);
    const gpu::CardBuffer<double>& out = at(card).out;
    results_.resize(out.size());
    out.to_host(results_.data());
    std::int64_t found = 0;
    for (const double result : results_) found += std::memcmp(&result, &expected, sizeof result) != 0 ? 1 : 0;
    return found;
  }
  std::int64_t flop(int card, std::int64_t rounds) const override {
    return 2 * rounds * chains * static_cast<std::int64_t>(cards_[static_cast<std::size_t>(card)].out.size());
  }

 private:
  OneCard& at(int card) { return cards_[static_cast<std::size_t>(card)]; }

  std::deque<OneCard> cards_;  // never moved
  std::vector<double> results_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Cards> make() { return std::make_unique<AllCards>(); }

}  // namespace tenken::gpu_evenness::TENKEN_GPU_FORM
