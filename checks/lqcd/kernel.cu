// The kernels of the variant `cuda`: site loops (device/*.hpp) as grids of threads. Compiled by a C++ compiler the same
// source is loops on the host (gpu/form.hpp).
#include <deque>

#include "device/device.hpp"
#include "gpu/launch.hpp"
#include "gpu/reduce.hpp"
#include "gpu/stopwatch.hpp"

namespace tenken::lqcd::device::TENKEN_GPU_FORM {

namespace {

using gpu::At;

// One item a thread.
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

template <class Real>
struct Total {
  static constexpr int threads = 256;
  using Value = Sums;
  Products<Real> products;

  TENKEN_DEVICE Sums operator()(At at) const { return products(at.first(), at.stride()); }
  TENKEN_DEVICE static Sums combine(Sums a, Sums b) { return {a.first + b.first, a.second + b.second}; }
};

// The same number on every device, so that all have the same bits: enough threads for any.
constexpr int most_blocks = 1024;

class Card final : public WithKernels<gpu::RunOn<Launcher, Device>::Kernels> {
 public:
  explicit Card(int card) {
    gpu::use(card);
    total_ = std::make_unique<gpu::Reduction<Sums>>(most_blocks);
  }

  std::string name() const override { return gpu::facts().name; }

  void* allocate(std::size_t bytes, const char* purpose) override { return gpu::allocate(bytes, purpose); }
  void release(void* memory) noexcept override { gpu::release(memory); }
  void write(void* to, const void* from, std::size_t bytes) override { gpu::copy(to, from, bytes, gpu::Way::to_card); }
  void read(void* to, const void* from, std::size_t bytes) override { gpu::copy(to, from, bytes, gpu::Way::to_host); }
  void copy(void* to, const void* from, std::size_t bytes) override {
    gpu::copy_later(to, from, bytes, gpu::Way::on_card);
  }
  void clear(void* memory, std::size_t bytes) override { gpu::clear(memory, bytes); }
  void finish() override { gpu::wait(); }

  void sum(const Products<float>& products) override { queue(products); }
  void sum(const Products<double>& products) override { queue(products); }
  Sums sums() override {
    Sums sums;
    gpu::copy(&sums, total_->result(), sizeof sums, gpu::Way::to_host);
    return sums;
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
  gpu::SectionCost section_cost() override { return gpu::section_cost(); }

 private:
  template <class Real>
  void queue(const Products<Real>& products) {
    const int blocks = gpu::blocks_for<Total<Real>>(products.packs);
    total_->later(blocks < most_blocks ? blocks : most_blocks, Total<Real>{products});
  }

  std::unique_ptr<gpu::Reduction<Sums>> total_;
  std::deque<gpu::Event> events_;  // never moved
  int marks_ = 0;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace tenken::lqcd::device::TENKEN_GPU_FORM
