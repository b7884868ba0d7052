#include "device/even_odd.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "device/timer.hpp"
#include "device/vectors_run.hpp"
#include "qcd/gauge/start.hpp"

namespace tenken::lqcd::device {

namespace {

// Q of even_odd.hpp on the even sites.
template <class Real>
class Schur {
 public:
  Schur(Device& device, Hopping<Real>& hopping, double kappa)
      : hopping_(hopping),
        kappa2_(static_cast<Real>(kappa * kappa)),
        odd_(make_device_field<Real>(device, hopping.sites())) {}

  template <class OpenHop, class OpenAll>
  void apply(DeviceField<Real>& out, const DeviceField<Real>& in, OpenHop open_hop, OpenAll open_all) {
    hopping_.apply(1, odd_, in, nullptr, Real{0}, open_hop);
    hopping_.apply(0, out, odd_, &in, kappa2_, open_all);
  }
  void apply(DeviceField<Real>& out, const DeviceField<Real>& in) { apply(out, in, untimed, untimed); }

 private:
  Hopping<Real>& hopping_;
  Real kappa2_;
  DeviceField<Real> odd_;
};

// `Real` is that of the iterations; x is summed up, and the residual computed anew, in double precision with whole
// links.
template <class Real>
class Solver final : public qcd::EvenOddSolver {
  static constexpr bool mixed = std::is_same_v<Real, float>;
  using Exact = Hopping<double>;

 public:
  Solver(MPI_Comm comm, Device& device, const Sites& sites, const qcd::ExtendedLinks& links, double kappa,
         const qcd::Field& source, const EvenOddOptions& options)
      : comm_(comm),
        device_(device),
        sites_(sites),
        kappa_(kappa),
        sections_(options.sections),
        own_(comm, device, sites, links, options.rows, options.hopping),
        other_(same(options) ? nullptr : std::make_unique<Exact>(comm, device, sites, links, colours, options.hopping)),
        q_(device, own_, kappa),
        exact_q_(device, exact(), kappa),
        timer_(comm, device, sites, options.rows, sizeof(Real), options.sections),
        source_(&source) {
    for (auto* const field : {&x_, &s_, &r_, &p_, &w_}) *field = make_device_field<Real>(device, sites);
    for (auto* const field : {&c_, &sum_, &t_}) *field = make_device_field<double>(device, sites);
    take(std::span(&source, 1));
  }

  int sources() const override { return 1; }

  void take(std::span<const qcd::Field> b) override {
    source_ = b.data();
    auto even = source_field(0), odd = source_field(1);
    exact().apply(0, c_, odd, &even, -kappa_, untimed);
    b_ = std::sqrt(global(norm2(device_, even)) + global(norm2(device_, odd)));
  }

  void start() override {
    clear(device_, sum_);
    clear(device_, x_);
    exact_residual();
    q_.apply(r_, s_);
    copy(device_, r_, p_);
    rr_ = global(norm2(device_, r_));
    ss_ = global(norm2(device_, s_));
    most_ = std::sqrt(ss_);
    stopped_ = rr_ == 0;
    iteration_ = 0;
    updates_ = 0;
  }

  void step() override {
    const Section whole(sections_.solve);
    const auto apply = [&](DeviceField<Real>& out, const DeviceField<Real>& in) {
      q_.apply(out, in, timer_.hop(false), timer_.hop(true));
    };
    apply(w_, p_);
    {
      const auto timed = timer_.norm(1);
      queue_dot(device_, w_, w_);
    }
    const double ww = timer_.sum(device_.sums().first);
    if (ww == 0) stopped_ = true;
    const double a = stopped_ ? 0 : rr_ / ww;  // 0: all stays as it is
    {
      const auto timed = timer_.axpy(2);
      axpy(device_, a, p_, x_);
      axpy(device_, -a, w_, s_);
    }
    if (mixed && !stopped_ && std::sqrt(ss_) < qcd::trusted_fall * most_) {
      const auto timed = timer_.update();
      update();
    }
    apply(r_, s_);
    {
      const auto timed = timer_.norm(2);
      queue_norms(device_, r_, s_);
    }
    const Sums norms = device_.sums();
    const double rr = timer_.sum(norms.first);
    ss_ = timer_.sum(norms.second);
    most_ = std::max(most_, std::sqrt(ss_));
    {
      const auto timed = timer_.axpy(1);
      xpay(device_, r_, stopped_ ? 0 : rr / rr_, p_);
    }
    rr_ = rr;
    if (rr_ == 0) stopped_ = true;
    ++iteration_;
    timer_.add_samples();
  }

  void stop(int) override { stopped_ = true; }
  int iteration() const override { return iteration_; }
  double residual(int) const override { return b_ == 0 ? 0 : std::sqrt(ss_) / b_; }
  int updates() const override { return updates_; }

  void solution(std::span<qcd::Field> x) override {
    update();
    auto odd = source_field(1);
    auto hopped = make_device_field<double>(device_, sites_);
    exact().apply(1, hopped, sum_, nullptr, 0.0, untimed);
    axpy(device_, kappa_, hopped, odd);
    read_field(device_, sites_, 0, sum_, x[0]);
    read_field(device_, sites_, 1, odd, x[0]);
  }

  void operate(int, qcd::Field& out, const qcd::Field& in) override {
    DeviceField<Real> parts[] = {make_device_field<Real>(device_, sites_), make_device_field<Real>(device_, sites_)};
    auto hopped = make_device_field<Real>(device_, sites_);
    for (int p = 0; p < 2; ++p) write_field(device_, sites_, p, in, parts[p]);
    for (int p = 0; p < 2; ++p) {
      own_.apply(p, hopped, parts[1 - p], nullptr, Real{0}, untimed);
      xpay(device_, parts[p], -kappa_, hopped);
      read_field(device_, sites_, p, hopped, out);
    }
  }

  int real_bytes() const override { return sizeof(Real); }
  int width() const override { return 1; }
  int link_reals() const override { return 6 * own_.stored_rows(); }
  int link_copies() const override { return 2; }

 private:
  static bool same(const EvenOddOptions& options) { return !mixed && options.rows == colours; }
  Exact& exact() {
    if constexpr (!mixed) {
      if (other_ == nullptr) return own_;
    }
    return *other_;
  }

  double global(double local) const {
    MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_DOUBLE, MPI_SUM, comm_);
    return local;
  }

  DeviceField<double> source_field(int parity) {
    auto field = make_device_field<double>(device_, sites_);
    write_field(device_, sites_, parity, *source_, field);
    return field;
  }

  // Brings x up to date.
  void update() {
    if constexpr (mixed) {
      convert(device_, sites_, x_, sum_, true);
    } else {
      axpy(device_, 1, x_, sum_);
    }
    clear(device_, x_);
    exact_residual();
    ss_ = global(norm2(device_, t_));  // not of s, which is rounded to the precision of the iterations
    most_ = std::sqrt(ss_);
    ++updates_;
  }

  // s = c - Q sum in double precision, then in that of the iterations.
  void exact_residual() {
    exact_q_.apply(t_, sum_);
    xpay(device_, c_, -1, t_);
    if constexpr (mixed) {
      convert(device_, sites_, t_, s_, false);
    } else {
      copy(device_, t_, s_);
    }
  }

  MPI_Comm comm_;
  Device& device_;
  Sites sites_;
  double kappa_;
  qcd::SolverSections sections_;
  Hopping<Real> own_;
  std::unique_ptr<Exact> other_;  // null where the iterations are exact themselves
  Schur<Real> q_;
  Schur<double> exact_q_;
  Timer timer_;
  const qcd::Field* source_;
  DeviceField<Real> x_, s_, r_, p_, w_;
  DeviceField<double> c_, sum_, t_;
  double b_ = 0;          // |b|
  double rr_ = 0;         // |r|^2
  double ss_ = 0;         // |s|^2
  double most_ = 0;       // largest |s| since the last update
  bool stopped_ = false;  // x and s stay
  int iteration_ = 0, updates_ = 0;
};

}  // namespace

std::unique_ptr<qcd::EvenOddSolver> make_even_odd(MPI_Comm comm, Device& device, const qcd::Geometry& geometry,
                                                  const qcd::ExtendedLinks& links, double kappa,
                                                  const qcd::Field& source, const EvenOddOptions& options) {
  const Sites sites = sites_of(geometry, true);
  if (options.mixed) return std::make_unique<Solver<float>>(comm, device, sites, links, kappa, source, options);
  return std::make_unique<Solver<double>>(comm, device, sites, links, kappa, source, options);
}

}  // namespace tenken::lqcd::device
