// BiCGStab (van der Vorst 1992) for A x = b, preconditioned from the right and flexible: the preconditioner may differ
// from step to step, as an inner solver does.
//
//   r = b, r~ = r, p = r, rho = <r~, r>; then repeatedly
//   v = A M p;  a = rho / <r~, v>;  s = r - a v;  t = A M s;  w = <t, s> / <t, t>;
//   x += a M p + w M s;  r = s - w t;  rho' = <r~, r>;  p = r + (rho' / rho) (a / w) (p - w v)
//
// Breakdown, |rho'| or |<r~, v>| below `breakdown` of the product of the norms, or w = 0, starts the recursion anew
// from the r at hand with r~ = r. Where <r~, v> breaks down, the step is that of minimal residual alone (a = 0).
//
// A system S has
//   Vector make();  void copy(from, to);  void clear(x);
//   void apply(out, hat, in)         hat = M in, out = A hat
//   Complex<double> dot(x, y);       of all ranks, conj(x) y
//   Dots dots(x, y)                  dot(x, y), and norm2(x)
//   double norm2(x);  void axpy(a, x, y);          y += a x
//   void turn(p, r, v, beta, w)                    p = r + beta (p - w v)
//   double breakdown                               see above
// and, where the answer is to be trusted, double exact(b, x, r): r = b - A x anew; its norm. Then the recursion is not
// believed at its end: below `enough` r becomes the exact residual, and where that is larger the recursion starts anew.
#pragma once

#include <algorithm>
#include <cmath>

#include "qcd/algebra.hpp"

namespace tenken::qcd {

struct Dots {
  Complex<double> xy;
  double xx;
};

inline Complex<double> ratio(const Complex<double>& a, const Complex<double>& b) {
  const double size = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}
inline double magnitude(const Complex<double>& a) { return std::hypot(a.re, a.im); }

template <class System>
class BiCgStab {
 public:
  using Vector = typename System::Vector;

  // Steps without a new least residual after which a solve is given up.
  static constexpr int most_idle_steps = 1000;
  static constexpr int vectors = 8;

  // The system stays with the caller. `enough`: of |r| / |b|.
  BiCgStab(System& system, double enough)
      : system_(system),
        enough_(enough),
        x_(system.make()),
        r_(system.make()),
        shadow_(system.make()),
        p_(system.make()),
        v_(system.make()),
        t_(system.make()),
        hat_(system.make()),
        b_(system.make()) {}

  void start(const Vector& b) {
    system_.copy(b, b_);
    system_.clear(x_);
    system_.copy(b, r_);
    size_ = std::sqrt(system_.norm2(b));
    rr_ = size_ * size_;
    least_ = 1;
    drift_ = 0;
    iteration_ = restarts_ = updates_ = idle_ = 0;
    begin();
  }

  void step() {
    if (rr_ == 0 || stagnated()) {  // solved to the last bit, or given up
      ++iteration_;
      return;
    }
    system_.apply(v_, hat_, p_);
    const Complex<double> along = system_.dot(shadow_, v_);
    const double v_size = std::sqrt(system_.norm2(v_));
    bool broken = !(magnitude(along) > system_.breakdown * shadow_size_ * v_size);
    const Complex<double> a = broken ? Complex<double>{0, 0} : ratio(rho_, along);
    if (!broken) {
      system_.axpy(a, hat_, x_);
      system_.axpy({-a.re, -a.im}, v_, r_);
    }
    system_.apply(t_, hat_, r_);
    const Dots ts = system_.dots(t_, r_);
    const Complex<double> w = ts.xx > 0 ? Complex<double>{ts.xy.re / ts.xx, ts.xy.im / ts.xx} : Complex<double>{0, 0};
    broken = broken || magnitude(w) == 0;
    system_.axpy(w, hat_, x_);
    system_.axpy({-w.re, -w.im}, t_, r_);
    const Dots rr = system_.dots(r_, shadow_);  // conj(r) r~
    rr_ = rr.xx;
    const Complex<double> rho = conj(rr.xy);
    ++iteration_;
    if (converged()) {
      if (exact()) return;
    } else if (broken || !(magnitude(rho) > system_.breakdown * shadow_size_ * std::sqrt(rr_))) {
      ++restarts_;
      begin();
    } else {
      const Complex<double> beta = ratio(rho, rho_) * ratio(a, w);
      rho_ = rho;
      system_.turn(p_, r_, v_, beta, w);
    }
    idle_ = residual() < least_ ? 0 : idle_ + 1;
    least_ = std::min(least_, residual());
  }

  int iteration() const { return iteration_; }
  int restarts() const { return restarts_; }  // after breakdowns
  int updates() const { return updates_; }    // exact residuals
  double residual() const { return size_ == 0 ? 0 : std::sqrt(rr_) / size_; }
  bool stagnated() const { return idle_ >= most_idle_steps || std::isnan(rr_); }
  const Vector& x() const { return x_; }
  const Vector& r() const { return r_; }

  // Largest |(b - A x) - r| / (|b| + bound |x|) at the exact residuals of this solve, `bound` that of |A|: how far the
  // recursion was from the truth.
  double drift(double bound) const { return size_ == 0 ? 0 : drift_ / (size_ + bound * std::sqrt(system_.norm2(x_))); }

 private:
  bool converged() const { return std::sqrt(rr_) < enough_ * size_; }

  void begin() {
    system_.copy(r_, shadow_);
    system_.copy(r_, p_);
    rho_ = {rr_, 0};
    shadow_size_ = std::sqrt(rr_);
  }

  // Whether the solve is over; else it goes on from the exact residual.
  bool exact() {
    if constexpr (requires(System & s, const Vector& c, Vector& o) { s.exact(c, c, o); }) {
      const double norm = system_.exact(b_, x_, t_);
      system_.axpy({-1, 0}, t_, r_);
      drift_ = std::max(drift_, std::sqrt(system_.norm2(r_)));
      system_.copy(t_, r_);
      rr_ = norm * norm;
      ++updates_;
      if (converged()) return true;
      begin();
      return false;
    }
    return true;
  }

  System& system_;
  double enough_;
  Vector x_, r_, shadow_, p_, v_, t_, hat_, b_;
  Complex<double> rho_{0, 0};
  double size_ = 0, rr_ = 0, shadow_size_ = 0, least_ = 1, drift_ = 0;
  int iteration_ = 0, restarts_ = 0, updates_ = 0, idle_ = 0;
};

}  // namespace tenken::qcd
