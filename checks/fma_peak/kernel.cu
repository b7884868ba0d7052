// The kernels of the variant `cuda`. Compiled by a C++ compiler the same source is loops on the host (gpu/form.hpp).
//
// Each chain is x = a x + b with a = b = 1/2, as on processors: from any start x tends to 1, exactly, and stays there.
// Chains begin at different values, because a compiler joins chains that are alike.
#include <algorithm>

#include "device/device.hpp"
#include "gpu/buffers.hpp"
#include "gpu/reduce.hpp"
#include "gpu/stopwatch.hpp"

namespace fma_peak::device::TENKEN_GPU_FORM {

namespace {

namespace gpu = tenken::gpu;
using gpu::At;

// The largest block of any card, twice as many blocks as multiprocessors: a multiprocessor has both at once or one
// after the other, and the same work as all others in either case.
constexpr int threads_of_block = 1024;
constexpr int blocks_of_multiprocessor = 2;

struct Span {
  std::int64_t cycles, ns;
};

template <class Real>
struct Chains {
  static constexpr int threads = threads_of_block;
  Real a, b, first, step;  // chain k begins at first + k step. Arguments: a compiler computes nothing in advance
  std::int64_t loops;
  double* error;  // of each thread
  Span* span;     // of each block

  TENKEN_DEVICE void operator()(At at) const {
    Real x[chains];
    for (int k = 0; k < chains; ++k) x[k] = first + static_cast<Real>(k) * step;
    const Span begin{gpu::clock_cycles(), gpu::clock_ns()};
    for (std::int64_t loop = 0; loop < loops; ++loop) {
      for (int pass = 0; pass < unrolled; ++pass) {
        for (int k = 0; k < chains; ++k) x[k] = a * x[k] + b;
      }
    }
    double greatest = 0;
    for (int k = 0; k < chains; ++k) {
      const double apart = static_cast<double>(x[k]) - 1.0;
      greatest = greater(greatest, apart < 0 ? -apart : apart);
    }
    error[at.first()] = greatest;
    if (at.thread == 0) span[at.block] = {gpu::clock_cycles() - begin.cycles, gpu::clock_ns() - begin.ns};
  }
};

// A thread that does not run leaves this error.
struct Unproved {
  static constexpr int threads = 256;
  double* error;
  std::int64_t n;
  TENKEN_DEVICE void operator()(At at) const {
    if (at.first() < n) error[at.first()] = 1;
  }
};

struct Largest {
  static constexpr int threads = 256;
  using Value = double;
  const double* x;
  std::int64_t n;
  TENKEN_DEVICE double operator()(At at) const {
    double greatest = 0;
    for (std::int64_t i = at.first(); i < n; i += at.stride()) greatest = greater(greatest, x[i]);
    return greatest;
  }
  TENKEN_DEVICE static double combine(double a, double b) { return greater(a, b); }
};

constexpr int blocks_of_sum = 64;

class Card final : public Device {
 public:
  explicit Card(int card) {
    gpu::use(card);
    blocks_ = std::max(gpu::facts().multiprocessors, 1) * blocks_of_multiprocessor;
    errors_ = gpu::CardBuffer<double>(static_cast<std::size_t>(threads()), "errors of chains");
    spans_ = gpu::CardBuffer<Span>(static_cast<std::size_t>(blocks_), "clocks of blocks");
    worst_ = std::make_unique<gpu::Reduction<double>>(blocks_of_sum);
    watch_ = std::make_unique<gpu::Stopwatch>();
  }

  gpu::Facts facts() const override { return gpu::facts(); }
  gpu::SectionCost section_cost() override { return gpu::section_cost(); }
  std::int64_t flop_per_loop() const override { return 2 * chains * unrolled * threads(); }
  Pass run(Precision precision, std::int64_t loops) override {
    return precision == Precision::single ? run_in<float>(loops) : run_in<double>(loops);
  }

 private:
  std::int64_t threads() const { return std::int64_t{blocks_} * threads_of_block; }

  template <class Real>
  Pass run_in(std::int64_t loops) {
    gpu::launch(gpu::blocks_for<Unproved>(threads()), Unproved{errors_.data(), threads()});
    watch_->start();
    gpu::launch(blocks_,
                Chains<Real>{Real(0.5), Real(0.5), Real(0.25), Real(0.0625), loops, errors_.data(), spans_.data()});
    watch_->stop();
    const double ns = watch_->ns();
    return {ns, (*worst_)(blocks_of_sum, Largest{errors_.data(), threads()}), clock()};
  }

  // Median over the blocks; 0 where the card shows no time.
  double clock() const {
    std::vector<Span> spans(spans_.size());
    spans_.to_host(spans.data());
    std::vector<double> hz;
    for (const Span& span : spans)
      hz.push_back(span.ns > 0 ? 1e9 * static_cast<double>(span.cycles) / static_cast<double>(span.ns) : 0);
    std::nth_element(hz.begin(), hz.begin() + static_cast<std::ptrdiff_t>(hz.size() / 2), hz.end());
    return hz[hz.size() / 2];
  }

  int blocks_ = 1;
  gpu::CardBuffer<double> errors_;
  gpu::CardBuffer<Span> spans_;
  std::unique_ptr<gpu::Reduction<double>> worst_;
  std::unique_ptr<gpu::Stopwatch> watch_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace fma_peak::device::TENKEN_GPU_FORM
