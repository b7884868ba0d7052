// BiCGSTAB with a diagonal preconditioner on the right (H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631),
// from x = 0. Sums are taken in double precision by blocks whose cut does not depend on the threads.
//
// Reductions of a solve: 2 + 4 an iteration of one number each; one more an iteration where a tolerance ends the solve.
// merged: 2 + 2 an iteration, of one and of five numbers; the next rho and the residual follow from these.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/dots.hpp"
#include "sums.hpp"

namespace les {

// Ends a solve: after so many iterations, or where |r| <= tolerance |b| (or floor) with a tolerance above 0.
struct Rule {
  int iterations = 0;
  double tolerance = 0;
  bool merged = false;
  double floor = 0;  // |r| that rounding leaves: a solve with a tolerance ends there
};

struct Solve {
  int iterations = 0;
  double right_side = 0, residual = 0;  // |b|, |r| at the end, by the recurrence
};

constexpr std::int64_t reductions_of(const Rule& rule, int iterations) {
  return 2 + (rule.merged ? 2 : 4 + (rule.tolerance > 0 ? 1 : 0)) * std::int64_t{iterations};
}

// Arrays of `length` numbers, of which the first `own` count in sums.
template <class Real>
class BiCgStab {
 public:
  BiCgStab(std::int64_t length, std::int64_t own)
      : blocks_(length),
        own_(own),
        r0_(array(length)),
        r_(array(length)),
        p_(array(length)),
        v_(array(length)),
        t_(array(length)),
        scaled_(array(length)),
        parts_(static_cast<std::size_t>(blocks_.count()), tenken::Pages::any, "sums of blocks") {}

  // Number of arrays of a solver.
  static constexpr int arrays = 6;

  // x = about A^-1 b. apply(from, to): to = A from. `watch`: passes over vectors are of phase `vectors`.
  template <class Apply>
  Solve operator()(const Apply& apply, const Real* inverse_diagonal, const Real* b, Real* x, const Rule& rule,
                   Reductions& reduce, StepWatch* watch, Phase vectors) {
    Real *const r0 = r0_.data(), *const r = r_.data(), *const p = p_.data(), *const v = v_.data(), *const t = t_.data(),
                *const scaled = scaled_.data();
    double rho = 0;
    {
      const InStep part(watch, vectors, work(1, 4));
      rho = sums<1>([&](Range m, Range own) {
        for (std::int64_t i = m.first; i < m.last; ++i) {
          r[i] = r0[i] = b[i];
          p[i] = v[i] = x[i] = 0;
        }
        return std::array{tenken::dot(own, r, r)};
      })[0];
    }
    rho = reduce(rho);
    Solve solve{.right_side = std::sqrt(rho), .residual = std::sqrt(rho)};
    double alpha = 0, omega = 1, beta = 0, square = rho;
    const auto goes_on = [&] {
      return solve.iterations < rule.iterations &&
             (rule.tolerance == 0 || std::sqrt(square) > std::max(rule.tolerance * solve.right_side, rule.floor));
    };
    for (; goes_on(); ++solve.iterations) {
      {
        const InStep part(watch, vectors, work(5, 3, 2));
        const Real of_p = static_cast<Real>(beta), of_v = static_cast<Real>(omega);
        over([&](Range m) {
#pragma omp simd
          for (std::int64_t i = m.first; i < m.last; ++i) {
            p[i] = r[i] + of_p * (p[i] - of_v * v[i]);
            scaled[i] = inverse_diagonal[i] * p[i];
          }
        });
      }
      apply(scaled, v);
      double against = 0;
      {
        const InStep part(watch, vectors, work(2, 2, 0));
        against = sums<1>([&](Range, Range own) { return std::array{tenken::dot(own, r0, v)}; })[0];
      }
      alpha = quotient(rho, reduce(against));
      {
        const InStep part(watch, vectors, work(5, 5, 3));
        const Real a = static_cast<Real>(alpha);
        over([&](Range m) {
#pragma omp simd
          for (std::int64_t i = m.first; i < m.last; ++i) {
            x[i] += a * scaled[i];
            r[i] -= a * v[i];
            scaled[i] = inverse_diagonal[i] * r[i];
          }
        });
      }
      apply(scaled, t);
      std::array<double, 5> of{};  // t.s, t.t, r0.t, r0.s, s.s
      {
        const InStep part(watch, vectors, rule.merged ? work(10, 3, 0) : work(4, 2, 0));
        of = sums<5>([&](Range, Range own) {
          std::array<double, 5> one{tenken::dot(own, t, r), tenken::dot(own, t, t)};
          if (rule.merged) {
            one[2] = tenken::dot(own, r0, t);
            one[3] = tenken::dot(own, r0, r);
            one[4] = tenken::dot(own, r, r);
          }
          return one;
        });
      }
      if (rule.merged) {
        reduce(of);
      } else {
        of[0] = reduce(of[0]);
        of[1] = reduce(of[1]);
      }
      omega = quotient(of[0], of[1]);
      double next = 0, left = 0;
      {
        const InStep part(watch, vectors, rule.merged ? work(4, 4, 2) : work(6, 5, 2));
        const Real w = static_cast<Real>(omega);
        const auto two = sums<2>([&](Range m, Range own) {
#pragma omp simd
          for (std::int64_t i = m.first; i < m.last; ++i) {
            x[i] += w * scaled[i];
            r[i] -= w * t[i];
          }
          if (rule.merged) return std::array{0.0, 0.0};
          return std::array{tenken::dot(own, r0, r), rule.tolerance > 0 ? tenken::dot(own, r, r) : 0.0};
        });
        next = two[0], left = two[1];
      }
      if (rule.merged) {
        next = of[3] - omega * of[2];
        square = std::abs(of[4] - 2 * omega * of[0] + omega * omega * of[1]);
      } else {
        next = reduce(next);
        if (rule.tolerance > 0) square = reduce(left);
      }
      beta = quotient(next, rho) * quotient(alpha, omega);
      rho = next;
    }
    double left = 0;
    {
      const InStep part(watch, vectors, work(2, 1, 0));
      left = sums<1>([&](Range, Range own) { return std::array{tenken::dot(own, r, r)}; })[0];
    }
    solve.residual = std::sqrt(reduce(left));
    return solve;
  }

 private:
  using Range = tenken::Range;

  static tenken::Buffer<Real> array(std::int64_t length) { return tenken::make_array<Real>(length, "BiCGSTAB"); }
  // 0 where nothing is left to divide: a solve that has its answer goes on without change.
  static double quotient(double a, double b) { return b != 0 ? a / b : 0; }
  tenken::Work work(int flop, int read, int written = 4) const {
    const std::int64_t n = own_, bytes = static_cast<std::int64_t>(sizeof(Real)) * n;
    return {.flop = flop * n,
            .bytes_read = read * bytes,
            .bytes_written = written * bytes,
            .precision = sizeof(Real) == 4 ? tenken::Work::Precision::single : tenken::Work::Precision::double_};
  }

  template <class Body>
  void over(const Body& body) {
    tenken::share(blocks_.count(), [&](Range mine) { body(blocks_.items(mine)); });
  }
  template <std::size_t n, class Body>
  std::array<double, n> sums(const Body& body) {
    tenken::share(blocks_.count(), [&](Range mine) {
      for (std::int64_t b = mine.first; b < mine.last; ++b) {
        const Range items = blocks_[b];
        const auto of = body(items, Range{std::min(items.first, own_), std::min(items.last, own_)});
        std::copy(of.begin(), of.end(), parts_[static_cast<std::size_t>(b)].begin());
      }
    });
    std::array<double, n> all{};
    for (const auto& part : parts_) {
      for (std::size_t i = 0; i < n; ++i) all[i] += part[i];
    }
    return all;
  }

  tenken::Blocks blocks_;
  std::int64_t own_;
  tenken::Buffer<Real> r0_, r_, p_, v_, t_, scaled_;
  tenken::Buffer<std::array<double, 5>> parts_;
};

}  // namespace les
