#include "lanes/even_odd.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include "lanes/fields.hpp"
#include "lanes/hopping.hpp"
#include "lanes/timed.hpp"

namespace tenken::lqcd {

namespace {

// Fall of |s| after which single precision no longer knows the residual well enough.
constexpr double trusted_fall = 0.05;
// Times of the layouts compared at the start.
constexpr int trial_applications = 6;

const auto untimed = [](Step) { return 0; };

double global(MPI_Comm comm, double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm);
  return x;
}

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
template <class H>
struct Layout {
  Layout(MPI_Comm comm, const ExtendedLinks& links, const HoppingOptions& options)
      : lanes(links.geometry(), H::width), hopping(comm, lanes, links, options) {}
  Lanes lanes;
  H hopping;
};

// `H` runs the iterations; `D` is the double precision hopping term with whole links, which may be the same.
template <class H, class D>
class Solver : public EvenOddSolver {
 public:
  using Real = typename H::Number;
  using V = typename H::V;
  using Lane = typename H::Field;
  using Exact = typename D::Field;
  static constexpr bool same = std::is_same_v<H, D>;
  static constexpr bool mixed = std::is_same_v<Real, float>;

  Solver(MPI_Comm comm, const Geometry& g, std::unique_ptr<Layout<H>> own, std::unique_ptr<Layout<D>> exact,
         double kappa, const Field& source)
      : comm_(comm),
        g_(g),
        own_(std::move(own)),
        exact_(std::move(exact)),
        lanes_(own_->lanes),
        exact_lanes_(exact_ ? exact_->lanes : lanes_),
        kappa_(kappa),
        q_(own_->hopping, kappa) {
    for (Lane* const field : {&x_, &s_, &r_, &p_, &w_}) *field = make_lane_field<V>(lanes_);
    for (Exact* const field : {&c_, &sum_, &t_}) *field = make_lane_field<typename D::V>(exact_lanes_);
    take(source);
  }

  void take(const Field& b) override {
    source_ = &b;
    Exact even = exact_field(0), odd = exact_field(1);
    hopping().apply(0, c_, odd, &even, -kappa_, untimed);
    double bb = 0;
    for (const Exact* const part : {&even, &odd}) bb += norm2<double>(*part);
    b_ = std::sqrt(global(comm_, bb));
  }

  void start() override {
    clear(sum_);
    clear(x_);
    exact_residual();
    q_.apply(r_, s_);
    copy(r_, p_);
    rr_ = global(comm_, norm2<Real>(r_));
    ss_ = global(comm_, norm2<Real>(s_));
    most_ = std::sqrt(ss_);
    iteration_ = 0;
    updates_ = 0;
  }

  void step() override {
    const LaneTimer timer{comm_, lanes_, own_rows, sizeof(Real)};
    const auto whole = timer.iteration();
    const auto apply = [&](Lane& out, const Lane& in) { q_.apply(out, in, timer.hop(false), timer.hop(true)); };
    apply(w_, p_);
    double ww = 0;
    {
      const auto timed = timer.norm(1);
      ww = norm2<Real>(w_);
    }
    const double a = rr_ / timer.sum(ww);
    {
      const auto timed = timer.axpy(2);
      axpy(static_cast<Real>(a), p_, x_);
      axpy(static_cast<Real>(-a), w_, s_);
    }
    if (mixed && std::sqrt(ss_) < trusted_fall * most_) {
      const auto timed = timer.update();
      update();
    }
    apply(r_, s_);
    double norms[2];
    {
      const auto timed = timer.norm(2);
      norms[0] = norm2<Real>(r_);
      norms[1] = norm2<Real>(s_);
    }
    const double rr = timer.sum(norms[0]);
    ss_ = timer.sum(norms[1]);
    most_ = std::max(most_, std::sqrt(ss_));
    {
      const auto timed = timer.axpy(1);
      xpay(r_, static_cast<Real>(rr / rr_), p_);
    }
    rr_ = rr;
    ++iteration_;
  }

  int iteration() const override { return iteration_; }
  double residual() const override { return std::sqrt(ss_) / b_; }
  int updates() const override { return updates_; }

  void solution(Field& x) override {
    update();
    Exact odd = exact_field(1);
    Exact hopped = make_lane_field<typename D::V>(exact_lanes_);
    hopping().apply(1, hopped, sum_, nullptr, 0.0, untimed);
    axpy(kappa_, hopped, odd);
    convert<double, double>(g_, 0, &exact_lanes_, sum_.data(), nullptr, x.data());
    convert<double, double>(g_, 1, &exact_lanes_, odd.data(), nullptr, x.data());
  }

  void operate(Field& out, const Field& in) override {
    Lane parts[parities] = {make_lane_field<V>(lanes_), make_lane_field<V>(lanes_)};
    Lane hopped = make_lane_field<V>(lanes_);
    for (int p = 0; p < parities; ++p) convert<double, Real>(g_, p, nullptr, in.data(), &lanes_, parts[p].data());
    for (int p = 0; p < parities; ++p) {
      own_->hopping.apply(p, hopped, parts[1 - p], nullptr, Real{0}, untimed);
      xpay(parts[p], static_cast<Real>(-kappa_), hopped);
      convert<Real, double>(g_, p, &lanes_, hopped.data(), nullptr, out.data());
    }
  }

  void hops(bool dependent) override {
    const LaneTimer timer{comm_, lanes_, own_rows, sizeof(Real)};
    H& h = own_->hopping;
    const auto timed = timer.hops(dependent, hops_timed);
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
    convert<double, Real>(g_, 0, nullptr, source_->data(), &lanes_, x_.data());
    copy(x_, p_);
  }

  double dependent_norm() override { return global(comm_, norm2<Real>(p_)); }

  int real_bytes() const override { return sizeof(Real); }
  int width() const override { return lanes_.width; }
  int link_reals() const override { return 6 * own_rows; }
  int link_copies() const override { return own_->hopping.options().once ? 1 : 2; }

 private:
  static constexpr int own_rows = H::stored_rows;

  D& hopping() {
    if constexpr (!same) {
      return exact_->hopping;
    } else {
      return own_->hopping;
    }
  }

  template <class F>
  static void clear(F& field) {
    detail::for_each_vector(field,
                            [to = detail::numbers(field)](std::int64_t i) { to[i] = std::decay_t<decltype(to[i])>{}; });
  }

  Exact exact_field(int parity) {
    Exact field = make_lane_field<typename D::V>(exact_lanes_);
    convert<double, double>(g_, parity, nullptr, source_->data(), &exact_lanes_, field.data());
    return field;
  }

  // Brings x up to date.
  void update() {
    convert<Real, double>(g_, 0, &lanes_, x_.data(), &exact_lanes_, sum_.data(), true);
    clear(x_);
    exact_residual();
    ss_ = global(comm_, norm2<Real>(s_));
    most_ = std::sqrt(ss_);
    ++updates_;
  }

  // s = c - Q sum in double precision, then in that of the iterations.
  void exact_residual() {
    Schur<D> q(hopping(), kappa_);
    q.apply(t_, sum_);
    xpay(c_, -1.0, t_);
    convert<double, Real>(g_, 0, &exact_lanes_, t_.data(), &lanes_, s_.data());
  }

  MPI_Comm comm_;
  const Geometry& g_;
  std::unique_ptr<Layout<H>> own_;
  std::unique_ptr<Layout<D>> exact_;  // null where the iterations are exact themselves
  const Lanes& lanes_;
  const Lanes& exact_lanes_;
  double kappa_;
  Schur<H> q_;
  const Field* source_ = nullptr;
  Lane x_, s_, r_, p_, w_;
  Exact c_, sum_, t_;
  double b_ = 0, rr_ = 0, ss_ = 0, most_ = 0;
  int iteration_ = 0, updates_ = 0;
};

template <class Real, int rows>
using Native = Hopping<Real, native_width<Real>, rows>;

// Seconds of a few hops to either parity, of the slowest rank.
template <class H>
double trial(MPI_Comm comm, Layout<H>& layout) {
  auto even = make_lane_field<typename H::V>(layout.lanes);
  auto odd = make_lane_field<typename H::V>(layout.lanes);
  double best = 1e300;
  for (int i = 0; i < trial_applications; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    layout.hopping.apply(1, odd, even, nullptr, 0, untimed);
    layout.hopping.apply(0, even, odd, nullptr, 0, untimed);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE, MPI_MAX, comm);
  return best;
}

// One way to keep links, its time in a trial, and the solver that uses it.
struct Candidate {
  double seconds;
  std::function<std::unique_ptr<EvenOddSolver>()> make;
};

template <class Real>
std::unique_ptr<EvenOddSolver> fastest(MPI_Comm comm, const Geometry& g, const ExtendedLinks& links, double kappa,
                                       const Field& source, const EvenOddOptions& options) {
  using Exact = Native<double, 3>;
  std::vector<Candidate> candidates;
  const bool choice = options.links == "auto" || options.storage == "auto";
  const auto consider = [&]<int rows>(std::integral_constant<int, rows>, bool once) {
    using Own = Native<Real, rows>;
    constexpr bool exact_itself = std::is_same_v<Own, Exact>;
    const HoppingOptions hopping{once, options.overlap, options.barrier};
    const auto make = [=, &g, &links, &source]() -> std::unique_ptr<EvenOddSolver> {
      auto exact = exact_itself ? nullptr : std::make_unique<Layout<Exact>>(comm, links, hopping);
      return std::make_unique<Solver<Own, Exact>>(comm, g, std::make_unique<Layout<Own>>(comm, links, hopping),
                                                  std::move(exact), kappa, source);
    };
    double seconds = 0;
    if (choice) {
      Layout<Own> layout(comm, links, hopping);
      seconds = trial(comm, layout);
    }
    candidates.push_back({seconds, make});
  };
  for (const bool once : {false, true}) {
    if (options.storage == (once ? "twice" : "once")) continue;
    if (options.links != "12") consider(std::integral_constant<int, 3>{}, once);
    if (options.links != "18") consider(std::integral_constant<int, 2>{}, once);
  }
  const auto less = [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; };
  return std::min_element(candidates.begin(), candidates.end(), less)->make();
}

}  // namespace

std::unique_ptr<EvenOddSolver> make_even_odd(MPI_Comm comm, const Geometry& g, const ExtendedLinks& links, double kappa,
                                             const Field& source, const EvenOddOptions& options) {
  return options.mixed ? fastest<float>(comm, g, links, kappa, source, options)
                       : fastest<double>(comm, g, links, kappa, source, options);
}

}  // namespace tenken::lqcd
