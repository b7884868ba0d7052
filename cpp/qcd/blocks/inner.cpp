#include "qcd/blocks/inner.hpp"

#include <cmath>
#include <vector>

#include "qcd/bicgstab.hpp"
#include "qcd/blocks/operator.inl.hpp"
#include "qcd/vectors.hpp"

namespace tenken::qcd {

namespace {

constexpr int lane_width = native_width<float>;
using Operator = BlockOperator<float, lane_width>;
using Vector = Operator::Vector;
using V = Operator::V;

// D' with or without preconditioner, as bicgstab.hpp asks for it.
class BlockSystem {
 public:
  using Vector = qcd::Vector;
  static constexpr double breakdown = 1e-6;

  BlockSystem(Operator& op, Schwarz<Operator>* preconditioner)
      : op_(op), preconditioner_(preconditioner), groups_(static_cast<std::size_t>(op.layout().groups())) {
    MPI_Comm_size(op.comm(), &ranks_);
    const BlockLayout& layout = op.layout();
    sites_ = layout.sites(0) + layout.sites(1);
  }

  Vector make() const { return op_.make(); }
  void copy(const Vector& from, Vector& to) const {
    const Section s{op_.sections().vectors, moved(1, 1, 0)};
    const V* const a = numbers(from);
    V* const b = numbers(to);
    each(to, [=](std::size_t i) { b[i] = a[i]; });
  }
  void clear(Vector& x) const {
    V* const a = numbers(x);
    each(x, [=](std::size_t i) { a[i] = V{}; });
  }

  void apply(Vector& out, Vector& hat, const Vector& in) {
    if (preconditioner_ == nullptr) {
      copy(in, hat);
      return op_.apply(out, in);
    }
    copy(in, out);
    preconditioner_->apply(hat, out);  // out = in - D' hat
    const Section s{op_.sections().vectors, moved(2, 1, vector_flop / 2)};
    const V* const a = numbers(in);
    V* const b = numbers(out);
    each(out, [=](std::size_t i) { b[i] = a[i] - b[i]; });
  }

  Complex<double> dot(const Vector& x, const Vector& y) const {
    const auto sums = sums_of<3>(x, y, 2 * vector_flop);
    return {sums[0], sums[1]};
  }
  Dots dots(const Vector& x, const Vector& y) const {
    const auto sums = sums_of<3>(x, y, 3 * vector_flop);
    return {{sums[0], sums[1]}, sums[2]};
  }
  double norm2(const Vector& x) const { return sums_of<3>(x, x, vector_flop)[2]; }

  void axpy(const Complex<double>& a, const Vector& x, Vector& y) const {
    const Section s{op_.sections().vectors, moved(2, 1, 2 * vector_flop)};
    const auto re = static_cast<float>(a.re), im = static_cast<float>(a.im);
    const V* const from = numbers(x);
    V* const to = numbers(y);
    pairs(y, [=](std::size_t i) {
      to[i] += re * from[i] - im * from[i + 1];
      to[i + 1] += re * from[i + 1] + im * from[i];
    });
  }
  // p = r + beta (p - w v)
  void turn(Vector& p, const Vector& r, const Vector& v, const Complex<double>& beta, const Complex<double>& w) const {
    const Section s{op_.sections().vectors, moved(3, 1, 4 * vector_flop)};
    const auto b_re = static_cast<float>(beta.re), b_im = static_cast<float>(beta.im);
    const auto w_re = static_cast<float>(w.re), w_im = static_cast<float>(w.im);
    const V *const rest = numbers(r), *const image = numbers(v);
    V* const to = numbers(p);
    pairs(p, [=](std::size_t i) {
      const V re = to[i] - (w_re * image[i] - w_im * image[i + 1]);
      const V im = to[i + 1] - (w_re * image[i + 1] + w_im * image[i]);
      to[i] = rest[i] + (b_re * re - b_im * im);
      to[i + 1] = rest[i + 1] + (b_re * im + b_im * re);
    });
  }

 private:
  static V* numbers(Vector& x) { return reinterpret_cast<V*>(x.data()); }
  static const V* numbers(const Vector& x) { return reinterpret_cast<const V*>(x.data()); }

  Work moved(int read, int written, std::int64_t flop) const {
    constexpr auto bytes = static_cast<std::int64_t>(spinor_numbers * sizeof(float));
    return {.flop = flop * sites_,
            .bytes_read = read * bytes * sites_,
            .bytes_written = written * bytes * sites_,
            .precision = Work::Precision::single};
  }
  template <class Change>
  static void each(const Vector& like, Change change) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < like.size() * spinor_numbers; ++i) change(i);
  }
  template <class Change>
  static void pairs(const Vector& like, Change change) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < like.size() * spinor_numbers; i += 2) change(i);
  }

  // Re <x, y>, Im <x, y>, |x|^2 of all ranks: in single precision within a group, in double beyond, in a fixed order.
  template <std::size_t count>
  std::array<double, count> sums_of(const Vector& x, const Vector& y, std::int64_t flop) const {
    std::array<double, count> all{};
    {
      const Section s{op_.sections().vectors, moved(2, 0, flop)};
      const std::size_t of_group = x.size() / groups_.size() * spinor_numbers;
      const V *const left = numbers(x), *const right = numbers(y);
#pragma omp parallel for schedule(static)
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        V re{}, im{}, xx{};
        for (std::size_t i = g * of_group; i < (g + 1) * of_group; i += 2) {
          re += left[i] * right[i] + left[i + 1] * right[i + 1];
          im += left[i] * right[i + 1] - left[i + 1] * right[i];
          xx += left[i] * left[i] + left[i + 1] * left[i + 1];
        }
        groups_[g] = {sum(re), sum(im), sum(xx)};
      }
      for (const auto& group : groups_) {
        for (std::size_t k = 0; k < count; ++k) all[k] += group[k];
      }
    }
    const Section s{op_.sections().reduction, reduction_work(ranks_, count)};
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM, op_.comm());
    return all;
  }
  static double sum(const V& v) {
    double all = 0;
    for (int lane = 0; lane < lane_width; ++lane) all += static_cast<double>(reinterpret_cast<const float*>(&v)[lane]);
    return all;
  }

  Operator& op_;
  Schwarz<Operator>* preconditioner_;
  mutable std::vector<std::array<double, 3>> groups_;
  std::int64_t sites_ = 0;
  int ranks_ = 1;
};

class BlockInner : public InnerSolver {
 public:
  BlockInner(MPI_Comm comm, const Geometry& geometry, const ExtendedLinks& links, const CloverField* inverse,
             double kappa, const InnerOptions& options)
      : options_(options),
        layout_(geometry, options.block, lane_width, options.single),
        op_(comm, layout_, links, inverse, kappa, options.sections, options.faults),
        schwarz_(op_, options.preconditioner),
        system_(op_, options.schwarz ? &schwarz_ : nullptr),
        krylov_(system_, options.tolerance),
        b_(op_.make()),
        z_(op_.make()) {}

  void solve(const Field& r, Field& x) override {
    // Scaled to a length of 1, so that squares of small numbers do not vanish in single precision.
    double size = norm2(r);
    MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_SUM, op_.comm());
    size = std::sqrt(size);
    {
      const Section s{options_.sections.update};
      op_.take(r, size > 0 ? 1 / size : 0, b_);
      op_.divide(b_);
    }
    krylov_.start(b_);
    while (krylov_.iteration() < options_.most_steps && !(krylov_.residual() < options_.tolerance) &&
           !krylov_.stagnated()) {
      krylov_.step();
    }
    steps_ += krylov_.iteration();
    restarts_ += krylov_.restarts();
    const Section s{options_.sections.update};
    op_.give(krylov_.x(), size, x);
  }
  double residual() const override { return krylov_.residual(); }
  std::int64_t steps() const override { return steps_; }
  int restarts() const override { return restarts_; }
  void clear() override {
    steps_ = restarts_ = 0;
    sent_before_ = op_.sent_bytes();
  }

  void operate(Field& out, const Field& in) override {
    op_.take(in, 1, b_);
    op_.apply(z_, b_);
    op_.give(z_, 1, out);
  }
  void sweep(Field& z, Field& rest, const Field& in) override {
    op_.take(in, 1, b_);
    schwarz_.apply(z_, b_);
    op_.give(z_, 1, z);
    op_.give(b_, 1, rest);
  }

  int width() const override { return lane_width; }
  int blocks_together() const override { return layout_.blocks_in_group(); }
  std::int64_t cycle_bytes() const override { return op_.message_bytes(0) + op_.message_bytes(1); }
  std::int64_t sent_bytes() const override { return op_.sent_bytes() - sent_before_; }

 private:
  InnerOptions options_;
  BlockLayout layout_;
  Operator op_;
  Schwarz<Operator> schwarz_;
  BlockSystem system_;
  BiCgStab<BlockSystem> krylov_;
  Vector b_, z_;
  std::int64_t steps_ = 0, sent_before_ = 0;
  int restarts_ = 0;
};

}  // namespace

std::unique_ptr<InnerSolver> make_inner(MPI_Comm comm, const Geometry& geometry, const ExtendedLinks& links,
                                        const CloverField* inverse, double kappa, const InnerOptions& options) {
  return std::make_unique<BlockInner>(comm, geometry, links, inverse, kappa, options);
}

}  // namespace tenken::qcd
