// The kernels of the variant `cuda`: loops over rows (device/bodies.hpp) as grids of threads. Compiled by a C++
// compiler the same source is loops on the host (gpu/form.hpp).
#include <deque>

#include "device/device.hpp"
#include "gpu/launch.hpp"
#include "gpu/reduce.hpp"
#include "gpu/stopwatch.hpp"

namespace tenken::hpcg::device::TENKEN_GPU_FORM {

namespace {

using gpu::At;

// One row a thread.
template <class Body>
struct Each {
  static constexpr int threads = 128;
  Body body;
  std::int64_t n;

  TENKEN_DEVICE void operator()(At at) const {
    const std::int64_t i = at.first();
    if (i < n) body(i);
  }
};

struct Launcher {
  template <class Body>
  static void launch(std::int64_t n, const Body& body) {
    const Each<Body> kernel{body, n};
    gpu::launch(gpu::blocks_for<Each<Body>>(n), kernel);
  }
};

struct Total {
  static constexpr int threads = 256;
  using Value = double;
  Products products;

  TENKEN_DEVICE double operator()(At at) const { return products(at.first(), at.stride()); }
  TENKEN_DEVICE static double combine(double a, double b) { return a + b; }
};

// The same number on every card, so that all have the same bits: enough threads for any.
constexpr int most_blocks = 1024;

class Card final : public WithKernels<gpu::RunOn<Launcher, Device>::Kernels> {
 public:
  explicit Card(int card) { gpu::use(card); }

  gpu::Facts facts() const override { return gpu::facts(); }
  gpu::SectionCost section_cost() override { return gpu::section_cost(); }

  void* allocate(std::size_t bytes, const char* purpose) override { return gpu::allocate(bytes, purpose); }
  void release(void* memory) noexcept override { gpu::release(memory); }
  void* allocate_pinned(std::size_t bytes, const char* purpose) override {
    return gpu::allocate_pinned(bytes, purpose);
  }
  void release_pinned(void* memory) noexcept override { gpu::release_pinned(memory); }
  void write(void* to, const void* from, std::size_t bytes) override { gpu::copy(to, from, bytes, gpu::Way::to_card); }
  void read(void* to, const void* from, std::size_t bytes) override { gpu::copy(to, from, bytes, gpu::Way::to_host); }
  void copy(void* to, const void* from, std::size_t bytes) override {
    gpu::copy_later(to, from, bytes, gpu::Way::on_card);
  }
  void clear(void* memory, std::size_t bytes) override { gpu::clear(memory, bytes); }
  void finish() override { gpu::wait(); }

  void queue(const Products& products) override {
    if (products.n == 0) return;  // a grid of one cell has no entries beside its diagonal
    if (queued_ == totals_.size()) totals_.emplace_back(most_blocks);
    const int blocks = gpu::blocks_for<Total>(products.n);
    totals_[queued_++].later(blocks < most_blocks ? blocks : most_blocks, Total{products});
  }
  double sums() override {
    double all = 0;
    for (std::size_t i = 0; i < queued_; ++i) {
      double each = 0;
      gpu::copy(&each, totals_[i].result(), sizeof each, gpu::Way::to_host);
      all += each;
    }
    queued_ = 0;
    return all;
  }

  int mark() override {
    if (marks_ == static_cast<int>(events_.size())) events_.emplace_back();
    events_[static_cast<std::size_t>(marks_)].record();
    return marks_++;
  }
  double ns(int from, int to) override {
    const gpu::Event& end = events_[static_cast<std::size_t>(to)];
    end.wait_for();
    return end.ms_since(events_[static_cast<std::size_t>(from)]) * 1e6;
  }
  void forget_marks() override { marks_ = 0; }

 private:
  std::deque<gpu::Reduction<double>> totals_;
  std::size_t queued_ = 0;
  std::deque<gpu::Event> events_;  // never moved
  int marks_ = 0;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace tenken::hpcg::device::TENKEN_GPU_FORM
