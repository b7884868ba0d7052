// The kernels of the variant `cuda`. Compiled by a C++ compiler the same source is loops on the host (gpu/form.hpp).
#include <algorithm>
#include <deque>

#include "closed_form.hpp"
#include "device/device.hpp"
#include "gpu/buffers.hpp"
#include "gpu/reduce.hpp"
#include "gpu/stopwatch.hpp"

namespace stream::device::TENKEN_GPU_FORM {

namespace {

namespace gpu = tenken::gpu;
using gpu::At;

// The widest load of a thread. Arrays on the card begin at multiples of it.
constexpr int lanes = 2;
struct alignas(16) Pack {
  double at[lanes];
};
TENKEN_DEVICE inline Pack pack(const double* from, std::int64_t i) { return reinterpret_cast<const Pack*>(from)[i]; }

// An element of each kernel that writes.
struct Copied {
  static constexpr int inputs = 1;
  TENKEN_DEVICE double operator()(double x, double) const { return x; }
};
struct Scaled {
  static constexpr int inputs = 1;
  double s;
  TENKEN_DEVICE double operator()(double x, double) const { return s * x; }
};
struct Added {
  static constexpr int inputs = 2;
  TENKEN_DEVICE double operator()(double x, double y) const { return x + y; }
};
struct AddedScaled {
  static constexpr int inputs = 2;
  double s;
  TENKEN_DEVICE double operator()(double x, double y) const { return x + s * y; }
};

// A pack a thread; the threads behind the last whole pack have an element each.
template <class Element>
struct Written {
  static constexpr int threads = 256;
  Element element;
  double* out;
  const double* x;
  const double* y;  // read where the element has two inputs
  std::int64_t n;

  TENKEN_DEVICE void operator()(At at) const {
    const std::int64_t i = at.first();
    const std::int64_t packs = n / lanes;
    if (i < packs) {
      const Pack first = pack(x, i);
      Pack second{};
      if (Element::inputs == 2) second = pack(y, i);
      Pack result{};
      for (int lane = 0; lane < lanes; ++lane) result.at[lane] = element(first.at[lane], second.at[lane]);
      reinterpret_cast<Pack*>(out)[i] = result;
    } else if (packs * lanes + (i - packs) < n) {
      const std::int64_t rest = packs * lanes + (i - packs);
      out[rest] = element(x[rest], Element::inputs == 2 ? y[rest] : 0);
    }
  }

  int blocks() const { return gpu::blocks_for<Written>(n / lanes + n % lanes); }
};

// Sums of `unrolled` packs at a time, so that as many loads of a thread are under way.
struct Summed {
  static constexpr int threads = 256;
  static constexpr int unrolled = 4;
  using Value = double;
  const double* x;
  std::int64_t n;

  TENKEN_DEVICE double operator()(At at) const {
    const std::int64_t packs = n / lanes;
    const std::int64_t stride = at.stride();
    double sums[unrolled * lanes] = {};
    std::int64_t i = at.first();
    for (; i + (unrolled - 1) * stride < packs; i += unrolled * stride) {
      for (int k = 0; k < unrolled; ++k) {
        const Pack some = pack(x, i + k * stride);
        for (int lane = 0; lane < lanes; ++lane) sums[k * lanes + lane] += some.at[lane];
      }
    }
    for (; i < packs; i += stride) {
      const Pack some = pack(x, i);
      for (int lane = 0; lane < lanes; ++lane) sums[lane] += some.at[lane];
    }
    const std::int64_t rest = packs * lanes + at.first();
    if (rest < n) sums[0] += x[rest];
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
  }
  TENKEN_DEVICE static double combine(double a, double b) { return a + b; }

  int blocks(int most) const { return std::clamp(gpu::blocks_for<Summed>(n / lanes), 1, most); }
};

// Blocks that fill every multiprocessor: 2048 threads, on those with fewer in turn.
int blocks_that_fill(const gpu::Facts& card) { return std::max(card.multiprocessors, 1) * (2048 / Summed::threads); }

class Card final : public Device {
 public:
  explicit Card(int card) {
    gpu::use(card);
    blocks_ = blocks_that_fill(gpu::facts());
    sum_ = std::make_unique<gpu::Reduction<double>>(blocks_);
    for (int i = 0; i <= sweeps; ++i) marks_.emplace_back();
  }

  gpu::Facts facts() const override { return gpu::facts(); }
  gpu::SectionCost section_cost() override { return gpu::section_cost(); }

  void allocate(std::int64_t n) override {
    for (auto& array : arrays_) array = gpu::CardBuffer<double>(static_cast<std::size_t>(n), "an array of stream");
  }
  void write(Array to, std::int64_t begin, std::int64_t n, const double* values) override {
    gpu::copy(at(to) + begin, values, bytes(n), gpu::Way::to_card);
  }
  void read(double* values, Array from, std::int64_t begin, std::int64_t n) const override {
    gpu::copy(values, at(from) + begin, bytes(n), gpu::Way::to_host);
  }

  Times sweep(std::int64_t n) override {
    double *const a = at(Array::a), *const b = at(Array::b), *const c = at(Array::c);
    // Untimed: while the card clears, the host queues the sweeps, so that no gap between them is timed. And what the
    // driver does not copy shows.
    gpu::clear(at(Array::copied), bytes(n));
    int next = 0;
    const auto mark = [&] { marks_[static_cast<std::size_t>(next++)].record(); };
    mark();
    write(Copied{}, c, a, nullptr, n);
    mark();
    write(Scaled{factor}, b, c, nullptr, n);
    mark();
    write(Added{}, c, a, b, n);
    mark();
    write(AddedScaled{factor}, a, b, c, n);
    mark();
    const Summed kernel{a, n};
    sum_->later(kernel.blocks(blocks_), kernel);
    mark();
    gpu::copy_later(at(Array::copied), c, bytes(n), gpu::Way::on_card);
    mark();
    marks_.back().wait_for();
    Times ns{};
    for (std::size_t k = 0; k < ns.size(); ++k) ns[k] = marks_[k + 1].ms_since(marks_[k]) * 1e6;
    return ns;
  }
  double sum() const override {
    double sum = 0;
    gpu::copy(&sum, sum_->result(), sizeof sum, gpu::Way::to_host);
    return sum;
  }

 private:
  static std::size_t bytes(std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(double); }
  double* at(Array which) { return arrays_[static_cast<std::size_t>(which)].data(); }
  const double* at(Array which) const { return arrays_[static_cast<std::size_t>(which)].data(); }

  template <class Element>
  static void write(Element element, double* out, const double* x, const double* y, std::int64_t n) {
    const Written<Element> kernel{element, out, x, y, n};
    gpu::launch(kernel.blocks(), kernel);
  }

  int blocks_ = 1;
  std::array<gpu::CardBuffer<double>, arrays> arrays_;
  std::unique_ptr<gpu::Reduction<double>> sum_;
  std::deque<gpu::Event> marks_;  // never moved
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace stream::device::TENKEN_GPU_FORM
