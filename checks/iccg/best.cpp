// ICCG as fast as is known here: Eisenstat's form, compressed columns, all threads in one region, own barrier.
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "numerics/barrier.hpp"
#include "numerics/eisenstat.hpp"
#include "solver.hpp"

namespace iccg {

namespace {

using tenken::Range;

class Best : public Solver {
 public:
  Best(const tenken::Coloured& a, std::span<const double> b, Faults faults)
      : a_(a),
        form_(a),
        b_(make_vector(a, "right side")),
        x_(make_vector(a, "x")),
        r_(make_vector(a, "r")),
        p_(make_vector(a, "p")),
        t_(make_vector(a, "t")),
        v_(make_vector(a, "v")),
        threads_(omp_get_max_threads()),
        partial_(static_cast<std::size_t>(threads_)) {
    if (faults.unsymmetric_preconditioner) form_.make_unsymmetric();
    gather_rows(a_, b.data(), b_.data());
    double bb = 0;
    for (const double value : b_) bb += value * value;
    of_b_ = std::sqrt(bb);
    history_.reserve(most_iterations);
    start();
  }

  void start() override {
    double rr = 0;
    tenken::SpinBarrier barrier(threads_, spins());
#pragma omp parallel num_threads(threads_)
    {
      const int me = omp_get_thread_num();
      for (int colour = 0; colour < a_.colours(); ++colour) {
        const Range chunks = own(me, colour);
        for (std::int64_t i = chunks.first * a_.c; i < chunks.last * a_.c; ++i) {
          r_.data()[i] = b_.data()[i];
          x_.data()[i] = p_.data()[i] = 0;
        }
        form_.scale(chunks, r_.data());
        form_.enter(chunks, r_.data());
        barrier.wait();
      }
    }
    for (const double value : r_) rr += value * value;
    rr_ = rr;
    beta_ = 0;
    growth_ = rr > 0 ? of_b_ / std::sqrt(rr) : 1;
    end_ = End::none;
    history_.assign(1, 1.0);
  }

  int advance(int n, double tolerance, Watch* watch) override {
    tenken::SpinBarrier barrier(threads_, spins());
    const double limit = tolerance * of_b_;
    int all_done = 0;
#pragma omp parallel num_threads(threads_)
    {
      const int me = omp_get_thread_num();
      Watch* const mine = me == 0 ? watch : nullptr;
      double rr = rr_, beta = beta_, growth = growth_;
      End end = End::none;
      int done = 0;
      while (done < n && end == End::none) {
        const Watched iteration(mine, Phase::iteration);
        {
          const Watched phase(mine, Phase::backward);
          for (int colour = a_.colours() - 1; colour >= 0; --colour) {
            form_.backward(own(me, colour), beta, r_.data(), p_.data(), t_.data());
            if (colour > 0 || form_.rest().slots() > 0) barrier.wait();
          }
        }
        double pw = 0;
        {
          const Watched phase(mine, Phase::forward);
          for (int colour = 0; colour < a_.colours(); ++colour) {
            pw += form_.forward(own(me, colour), p_.data(), t_.data(), v_.data());
            if (colour + 1 < a_.colours()) barrier.wait();
          }
          pw = summed(barrier, 0, me, pw);
        }
        const double alpha = rr / pw;
        double rest = 0;
        {
          const Watched phase(mine, Phase::update);
          for (int colour = 0; colour < a_.colours(); ++colour) {
            rest += form_.update(own(me, colour), alpha, t_.data(), v_.data(), x_.data(), r_.data());
          }
          rest = summed(barrier, 1, me, rest);
        }
        beta = rest / rr;
        rr = rest;
        ++done;
        if (!(pw > 0) || !std::isfinite(rest)) end = End::broken;
        // The true residual costs a sweep over half of the matrix: only where it may be small enough.
        if (tolerance > 0 && end == End::none && std::sqrt(rr) * growth <= limit * margin) {
          double truth = 0;
          for (int colour = 0; colour < a_.colours(); ++colour) {
            truth += form_.true_residual2(own(me, colour), r_.data());
          }
          truth = std::sqrt(summed(barrier, 2, me, truth));
          if (truth <= limit) end = End::converged;
          if (rr > 0) growth = truth / std::sqrt(rr);
        }
        if (me == 0) history_.push_back(std::sqrt(rr) * growth / of_b_);
      }
      if (me == 0) all_done = done, end_ = end;
      barrier.wait();
      if (me == 0) rr_ = rr, beta_ = beta, growth_ = growth;
    }
    return all_done;
  }

  End end() const override { return end_; }
  const std::vector<double>& history() const override { return history_; }

  void solution(double* x) const override { scatter_scaled(x_, x); }
  void direction(double* p) const override { scatter_scaled(t_, p); }

  void apply(const double* in, double* out) override {
    std::fill(p_.begin(), p_.end(), 0.0);
    for (int colour = a_.colours() - 1; colour >= 0; --colour) {
      form_.backward(chunks_of(a_, colour, 0, 1), 0, in, p_.data(), t_.data());
    }
    for (int colour = 0; colour < a_.colours(); ++colour) {
      form_.forward(chunks_of(a_, colour, 0, 1), p_.data(), t_.data(), v_.data());
    }
    for (std::size_t i = 0; i < t_.size(); ++i) out[i] = t_[i] + v_[i];
    start();
  }

  double runs() const override { return form_.runs(); }
  std::int64_t working_set_bytes() const override {
    constexpr std::int64_t vectors = 6;  // a diagonal, x, r, p, t, v
    return form_.lower().bytes() + form_.upper().bytes() + form_.rest().bytes() + 8 * vectors * a_.rows;
  }
  tenken::Work work(Phase phase) const override {
    if (phase == Phase::backward) return form_.backward_work();
    if (phase == Phase::forward) return form_.forward_work();
    if (phase == Phase::update) return form_.update_work();
    return {};
  }

 private:
  // Of the limit, from where on the true residual is looked at.
  static constexpr double margin = 1.05;
  struct alignas(64) Partial {
    double of[3] = {};
  };

  void scatter_scaled(const tenken::Buffer<double>& from, double* to) const {
    tenken::Buffer<double> scaled = make_vector(a_, "vector of a solution");
    std::copy(from.begin(), from.end(), scaled.begin());
    form_.scale({0, a_.chunks()}, scaled.data());
    scatter_rows(a_, scaled.data(), to);
  }
  Range own(int thread, int colour) const { return chunks_of(a_, colour, thread, threads_); }
  int spins() const { return threads_ > omp_get_num_procs() ? 0 : 300; }
  double summed(tenken::SpinBarrier& barrier, int which, int me, double part) {
    partial_[static_cast<std::size_t>(me)].of[which] = part;
    barrier.wait();
    double sum = 0;
    for (const Partial& partial : partial_) sum += partial.of[which];
    return sum;
  }

  const tenken::Coloured& a_;
  tenken::Eisenstat form_;
  tenken::Buffer<double> b_, x_, r_, p_, t_, v_;
  int threads_;
  std::vector<Partial> partial_;
  double of_b_ = 0, rr_ = 0, beta_ = 0;
  double growth_ = 1;  // true over iterated residual, where last looked at
  End end_ = End::none;
  std::vector<double> history_;
};

}  // namespace

std::unique_ptr<Solver> make_best(const tenken::Coloured& a, std::span<const double> b, Faults faults) {
  return std::make_unique<Best>(a, b, faults);
}

}  // namespace iccg
