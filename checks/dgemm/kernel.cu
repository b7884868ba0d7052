// The product of the variant `cuda`: by cuBLAS on a card. Compiled by a C++ compiler the same source multiplies in
// loops on the host (gpu/form.hpp), so that copies, factors and proofs are tested where no card is.
#include "device/device.hpp"
#include "gpu/blas.hpp"
#include "gpu/buffers.hpp"
#include "gpu/stopwatch.hpp"

namespace dgemm::device::TENKEN_GPU_FORM {

namespace {

namespace gpu = tenken::gpu;

class Card final : public Device {
 public:
  explicit Card(int card) {
    gpu::use(card);
    blas_ = std::make_unique<gpu::Blas>();
    watch_ = std::make_unique<gpu::Stopwatch>();
  }

  gpu::Facts facts() const override { return gpu::facts(); }
  gpu::SectionCost section_cost() override { return gpu::section_cost(); }
  std::string library() const override { return blas_->name(); }

  void load(int n, const double* a, const double* b, const double* c) override {
    n_ = n;
    const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    for (auto* const matrix : {&a_, &b_, &c_}) *matrix = gpu::CardBuffer<double>(size, "a matrix of dgemm");
    a_.from_host(a);
    b_.from_host(b);
    c_.from_host(c);
  }
  double multiply(double alpha, double beta) override {
    watch_->start();
    blas_->product(n_, n_, n_, alpha, a_.data(), n_, b_.data(), n_, beta, c_.data(), n_);
    watch_->stop();
    return watch_->ns();
  }
  void read(double* c) const override { c_.to_host(c); }

 private:
  int n_ = 0;
  gpu::CardBuffer<double> a_, b_, c_;
  std::unique_ptr<gpu::Blas> blas_;
  std::unique_ptr<gpu::Stopwatch> watch_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace dgemm::device::TENKEN_GPU_FORM
