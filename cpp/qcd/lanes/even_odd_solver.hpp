// The solver of even_odd.hpp for one hopping term, or for two that differ in precision. Right-hand sides that are
// solved together share each sweep over the links; each has a recursion of its own, with the iterates that it has
// alone, but that in mixed precision all are updated when one needs it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "qcd/lanes/even_odd.hpp"
#include "qcd/lanes/fields.hpp"
#include "qcd/lanes/hopping.hpp"
#include "qcd/lanes/timed.hpp"

namespace tenken::qcd {

constexpr auto untimed = [](Step) { return 0; };

// Q on even sites.
template <class H>
class Schur {
 public:
  using Lane = typename H::Field;
  using Real = typename H::Number;

  Schur(H& hopping, double kappa)
      : h(hopping), kappa2_(static_cast<Real>(kappa * kappa)), odd_(make_lane_field<typename H::V>(h.lanes())) {}

  template <class OpenHop, class OpenAll>
  void apply(Lane& out, const Lane& in, OpenHop open_hop, OpenAll open_all) {
    h.apply(1, odd_, in, nullptr, Real{0}, open_hop);
    h.apply(0, out, odd_, &in, kappa2_, open_all);
  }
  void apply(Lane& out, const Lane& in) { apply(out, in, untimed, untimed); }

  H& h;

 private:
  Real kappa2_;
  Lane odd_;
};

// A hopping term with the layout that it refers to.
template <class Real, int width>
struct Layout {
  Layout(MPI_Comm comm, const ExtendedLinks& links, int together, int rows, const HoppingOptions& options,
         bool no_swaps = false)
      : lanes(links.geometry(), width, together),
        hopping(make_hopping<Real, width>(comm, lanes, links, rows, options)) {
    if (no_swaps) lanes.forget_swaps();
  }
  Lanes lanes;
  std::unique_ptr<Hopping<Real, width>> hopping;
};

// `own` runs the iterations; `exact` is the double precision hopping term with whole links, null where that is `own`.
template <class Number, int width_>
class Solver : public LaneSolver {
 public:
  using Real = Number;
  static constexpr bool mixed = std::is_same_v<Real, float>;
  static constexpr int exact_width = mixed ? std::min(width_, native_width<double>) : width_;
  using H = Hopping<Real, width_>;
  using D = Hopping<double, exact_width>;
  using V = typename H::V;
  using Lane = typename H::Field;
  using Exact = typename D::Field;

  Solver(MPI_Comm comm, const Geometry& g, std::unique_ptr<Layout<Real, width_>> own,
         std::unique_ptr<Layout<double, exact_width>> exact, double kappa, std::span<const Field> sources,
         const SolverSections& sections)
      : comm_(comm),
        g_(g),
        own_(std::move(own)),
        exact_(std::move(exact)),
        lanes_(own_->lanes),
        exact_lanes_(exact_ != nullptr ? exact_->lanes : lanes_),
        kappa_(kappa),
        sections_(sections),
        q_(*own_->hopping, kappa),
        each_(sources.size()) {
    for (Lane* const field : {&x_, &s_, &r_, &p_, &w_}) *field = make_lane_field<V>(lanes_);
    for (Exact* const field : {&c_, &sum_, &t_}) *field = make_lane_field<typename D::V>(exact_lanes_);
    take(sources);
  }

  int sources() const override { return lanes_.together; }

  void take(std::span<const Field> b) override {
    sources_ = b;
    Exact even = exact_field(0), odd = exact_field(1);
    hopping().apply(0, c_, odd, &even, -kappa_, untimed);
    const Numbers bb_even = norms(even), bb_odd = norms(odd);
    for (std::size_t k = 0; k < each_.size(); ++k) each_[k].b = std::sqrt(bb_even[k] + bb_odd[k]);
  }

  void start() override {
    clear(sum_);
    clear(x_);
    exact_residual();
    q_.apply(r_, s_);
    copy(r_, p_);
    const Numbers rr = norms(r_), ss = norms(s_);
    for (std::size_t k = 0; k < each_.size(); ++k) {
      each_[k] = {.b = each_[k].b, .rr = rr[k], .ss = ss[k], .most = std::sqrt(ss[k]), .stopped = rr[k] == 0};
    }
    iteration_ = 0;
    updates_ = 0;
  }

  void step() override {
    const LaneTimer timer{comm_, lanes_, own_->hopping->stored_rows(), sizeof(Real), sections_};
    const auto whole = timer.iteration();
    const auto apply = [&](Lane& out, const Lane& in) { q_.apply(out, in, timer.hop(false), timer.hop(true)); };
    apply(w_, p_);
    Numbers ww(each_.size()), rr(each_.size()), ss(each_.size());
    {
      const auto timed = timer.norm(1);
      norm2<Real>(w_, ww);
    }
    timer.sum(ww);
    Coefficients plus(each_.size()), minus(each_.size()), onward(each_.size());  // 0: stays as it is
    for (std::size_t k = 0; k < each_.size(); ++k) {
      if (ww[k] == 0) each_[k].stopped = true;
      const double a = each_[k].stopped ? 0 : each_[k].rr / ww[k];
      plus[k] = static_cast<Real>(a);
      minus[k] = static_cast<Real>(-a);
    }
    {
      const auto timed = timer.axpy(2);
      axpy<Real>(plus, p_, x_);
      axpy<Real>(minus, w_, s_);
    }
    if (mixed && std::ranges::any_of(
                     each_, [](const Recursion& c) { return !c.stopped && std::sqrt(c.ss) < trusted_fall * c.most; })) {
      const auto timed = timer.update();
      update();
    }
    apply(r_, s_);
    {
      const auto timed = timer.norm(2);
      norm2<Real>(r_, rr);
      norm2<Real>(s_, ss);
    }
    timer.sum(rr);
    timer.sum(ss);
    for (std::size_t k = 0; k < each_.size(); ++k) {
      Recursion& c = each_[k];
      c.ss = ss[k];
      c.most = std::max(c.most, std::sqrt(c.ss));
      onward[k] = c.stopped ? Real{0} : static_cast<Real>(rr[k] / c.rr);
      c.rr = rr[k];
      if (c.rr == 0) c.stopped = true;
    }
    {
      const auto timed = timer.axpy(1);
      xpay<Real>(r_, onward, p_);
    }
    ++iteration_;
  }

  void stop(int k) override { each_[static_cast<std::size_t>(k)].stopped = true; }

  int iteration() const override { return iteration_; }
  double residual(int k) const override {
    const Recursion& c = each_[static_cast<std::size_t>(k)];
    return c.b == 0 ? 0 : std::sqrt(c.ss) / c.b;
  }
  int updates() const override { return updates_; }

  void solution(std::span<Field> x) override {
    update();
    Exact odd = exact_field(1);
    Exact hopped = make_lane_field<typename D::V>(exact_lanes_);
    hopping().apply(1, hopped, sum_, nullptr, 0.0, untimed);
    axpy<double>(Numbers(each_.size(), kappa_), hopped, odd);
    for (int k = 0; k < sources(); ++k) {
      Field& to = x[static_cast<std::size_t>(k)];
      convert<double, double>(g_, 0, k, &exact_lanes_, sum_.data(), nullptr, to.data());
      convert<double, double>(g_, 1, k, &exact_lanes_, odd.data(), nullptr, to.data());
    }
  }

  void operate(int k, Field& out, const Field& in) override {
    Lane parts[parities] = {make_lane_field<V>(lanes_), make_lane_field<V>(lanes_)};
    Lane hopped = make_lane_field<V>(lanes_);
    const Coefficients factors(each_.size(), static_cast<Real>(-kappa_));
    for (int p = 0; p < parities; ++p) convert<double, Real>(g_, p, k, nullptr, in.data(), &lanes_, parts[p].data());
    for (int p = 0; p < parities; ++p) {
      own_->hopping->apply(p, hopped, parts[1 - p], nullptr, Real{0}, untimed);
      xpay<Real>(parts[p], factors, hopped);
      convert<Real, double>(g_, p, k, &lanes_, hopped.data(), nullptr, out.data());
    }
  }

  void hops(Leaf section, bool dependent) override {
    const LaneTimer timer{comm_, lanes_, own_->hopping->stored_rows(), sizeof(Real), sections_};
    H& h = *own_->hopping;
    const auto timed = timer.hops(section, hops_timed);
    for (int n = 0; n < hops_timed; ++n) {
      if (!dependent) {
        h.apply(1, w_, x_, nullptr, Real{0}, untimed);
      } else if (n % 2 == 0) {
        h.apply(1, r_, p_, nullptr, Real{0}, untimed);
      } else {
        h.apply(0, p_, r_, nullptr, Real{0}, untimed);
      }
    }
  }

  void rewind() override {
    for (int k = 0; k < sources(); ++k) {
      convert<double, Real>(g_, 0, k, nullptr, source(k).data(), &lanes_, x_.data());
    }
    copy(x_, p_);
  }

  double dependent_norm() override {
    const Numbers each = norms(p_);
    return *std::ranges::max_element(each);
  }

  int real_bytes() const override { return sizeof(Real); }
  int width() const override { return lanes_.width; }
  int link_reals() const override { return 6 * own_->hopping->stored_rows(); }
  int link_copies() const override { return own_->hopping->options().once ? 1 : 2; }

 private:
  using Numbers = std::vector<double>;     // one for each right-hand side
  using Coefficients = std::vector<Real>;  // likewise

  // Of one right-hand side.
  struct Recursion {
    double b = 0;          // |b|
    double rr = 0;         // |r|^2
    double ss = 0;         // |s|^2
    double most = 0;       // largest |s| since the last update
    bool stopped = false;  // x and s stay
  };

  D& hopping() {
    if constexpr (!mixed) {
      if (exact_ == nullptr) return *own_->hopping;
    }
    return *exact_->hopping;
  }

  const Field& source(int k) const { return sources_[static_cast<std::size_t>(k)]; }

  // Squared, of all ranks.
  template <class W>
  Numbers norms(const LaneField<W>& field) const {
    Numbers sums(each_.size());
    norm2<std::conditional_t<std::is_same_v<W, V>, Real, double>>(field, std::span<double>(sums));
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), lanes_.together, MPI_DOUBLE, MPI_SUM, comm_);
    return sums;
  }

  Exact exact_field(int parity) {
    Exact field = make_lane_field<typename D::V>(exact_lanes_);
    for (int k = 0; k < sources(); ++k) {
      convert<double, double>(g_, parity, k, nullptr, source(k).data(), &exact_lanes_, field.data());
    }
    return field;
  }

  // Brings x up to date.
  void update() {
    for (int k = 0; k < sources(); ++k) {
      convert<Real, double>(g_, 0, k, &lanes_, x_.data(), &exact_lanes_, sum_.data(), true);
    }
    clear(x_);
    exact_residual();
    const Numbers ss = norms(t_);  // not of s, which is rounded to the precision of the iterations
    for (std::size_t k = 0; k < each_.size(); ++k) {
      each_[k].ss = ss[k];
      each_[k].most = std::sqrt(ss[k]);
    }
    ++updates_;
  }

  // s = c - Q sum in double precision, then in that of the iterations.
  void exact_residual() {
    Schur<D> q(hopping(), kappa_);
    q.apply(t_, sum_);
    xpay<double>(c_, Numbers(each_.size(), -1), t_);
    for (int k = 0; k < sources(); ++k) {
      convert<double, Real>(g_, 0, k, &exact_lanes_, t_.data(), &lanes_, s_.data());
    }
  }

  MPI_Comm comm_;
  const Geometry& g_;
  std::unique_ptr<Layout<Real, width_>> own_;
  std::unique_ptr<Layout<double, exact_width>> exact_;  // null where the iterations are exact themselves
  const Lanes& lanes_;
  const Lanes& exact_lanes_;
  double kappa_;
  SolverSections sections_;
  Schur<H> q_;
  std::span<const Field> sources_;
  std::vector<Recursion> each_;
  Lane x_, s_, r_, p_, w_;
  Exact c_, sum_, t_;
  int iteration_ = 0, updates_ = 0;
};

}  // namespace tenken::qcd
