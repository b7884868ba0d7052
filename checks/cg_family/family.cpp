#include "family.hpp"

#include <cmath>

#include "numerics/vectors.hpp"

namespace tenken::cg_family {

namespace {

constexpr std::size_t most_history = 1 << 16;

}  // namespace

// update(rows) on all rows.
template <class Update>
void Family::update(Watch<Phase>* watch, const Update& update) {
  const InPhase<Phase> phase(watch, Phase::update);
  team_.all([&](int thread) { system_.shares().over_pieces(thread, update); });
}

template <class Then>
void Family::finish(Watch<Phase>* watch, const Then& then) {
  const InPhase<Phase> phase(watch, Phase::wait);
  team_.first([&] {
    sums_.wait();
    then();
  });
}

Family::Family(System& system, const Buffer<double>& b, const Choice& choice)
    : system_(system),
      b_(b),
      choice_(choice),
      team_(system.threads(), choice.regions),
      sums_(system.comm(), system.threads(), choice.reduction, choice.stale_reduction),
      x_(system.vector("the solution")),
      r_(system.vector("the residual")),
      u_(system.vector("the preconditioned residual")),
      p_(system.vector("the direction")),
      s_(system.vector("the matrix times the direction")) {
  if (choice.method != Method::standard) w_ = system.vector("the matrix times the preconditioned residual");
  if (choice.method >= Method::gropp) q_ = system.vector("a recurrence");
  if (pipelined(choice.method)) {
    m_ = system.vector("a recurrence");
    n_ = system.vector("a recurrence");
    z_ = system.vector("a recurrence");
  }
  of_b_ = std::sqrt(length2(b));
  history_.reserve(most_history);
  start();
}

void Family::start() {
  sums_.restart();
  history_.assign(1, 1.0);
  end_ = End::none;
  alpha_ = beta_ = 0;
  least_ = 1;
  least_at_ = 0;
  team_.solve([&] { begin(); });
}

void Family::begin() {
  update(nullptr, [&](Range rows) {
    copy(rows, b_.data(), r_.data());
    fill(rows, 0.0, x_.data());
    fill(rows, 0.0, p_.data());
    fill(rows, 0.0, s_.data());
    if (q_.size() > 0) fill(rows, 0.0, q_.data());
    if (z_.size() > 0) fill(rows, 0.0, z_.data());
  });
  precondition(nullptr, r_, u_);
  switch (choice_.method) {
    case Method::standard:
    case Method::gropp: {
      update(nullptr, [&](Range rows) { copy(rows, u_.data(), p_.data()); });
      if (choice_.method == Method::gropp) product(nullptr, p_, s_);
      const Pair pairs[] = {{&r_, &u_}};
      reduce(nullptr, pairs);
      return finish(nullptr, [&] { gamma_ = sums_[0]; });
    }
    case Method::chronopoulos_gear:
    case Method::pipelined:
    case Method::pipelined_replaced: {
      product(nullptr, u_, w_);
      const Pair pairs[] = {{&r_, &u_}, {&w_, &u_}};
      reduce(nullptr, pairs);
      if (pipelined(choice_.method)) {
        precondition(nullptr, w_, m_);
        product(nullptr, m_, n_);
      }
      return finish(nullptr, [&] {
        gamma_ = sums_[0];
        if (positive(sums_[1])) alpha_ = gamma_ / sums_[1];
      });
    }
  }
}

int Family::advance(int n, double tolerance, int patience, Watch<Phase>* watch) {
  limit_ = tolerance;
  patience_ = patience;
  const int before = iterations();
  team_.solve([&] {
    Watch<Phase>* const mine = team_.is_first() ? watch : nullptr;
    for (int k = 0; k < n && end_ == End::none; ++k) step(mine);
  });
  return iterations() - before;
}

void Family::step(Watch<Phase>* watch) {
  const InPhase<Phase> iteration(watch, Phase::iteration);
  switch (choice_.method) {
    case Method::standard:
      return standard(watch);
    case Method::chronopoulos_gear:
      return chronopoulos_gear(watch);
    case Method::gropp:
      return gropp(watch);
    case Method::pipelined:
    case Method::pipelined_replaced:
      return pipelined_step(watch);
  }
}

void Family::standard(Watch<Phase>* watch) {
  product(watch, p_, s_);
  const Pair direction[] = {{&p_, &s_}};
  reduce(watch, direction);
  finish(watch, [&] {
    if (positive(sums_[0])) alpha_ = gamma_ / sums_[0];
  });
  if (end_ != End::none) return;
  update(watch, [&](Range rows) {
    axpy(rows, alpha_, p_.data(), x_.data());
    axpy(rows, -alpha_, s_.data(), r_.data());
  });
  precondition(watch, r_, u_);
  const Pair residual[] = {{&r_, &u_}, {&r_, &r_}};
  reduce(watch, residual);
  finish(watch, [&] {
    beta_ = sums_[0] / gamma_;
    gamma_ = sums_[0];
    residual_is(sums_[1]);
  });
  update(watch, [&](Range rows) { xpay(rows, u_.data(), beta_, p_.data()); });
}

void Family::chronopoulos_gear(Watch<Phase>* watch) {
  update(watch, [&](Range rows) {
    xpay(rows, u_.data(), beta_, p_.data());
    xpay(rows, w_.data(), beta_, s_.data());
    axpy(rows, alpha_, p_.data(), x_.data());
    axpy(rows, -alpha_, s_.data(), r_.data());
  });
  precondition(watch, r_, u_);
  product(watch, u_, w_);
  const Pair all[] = {{&r_, &u_}, {&w_, &u_}, {&r_, &r_}};
  reduce(watch, all);
  finish(watch, [&] { take_both(); });
}

void Family::gropp(Watch<Phase>* watch) {
  const Pair direction[] = {{&p_, &s_}};
  reduce(watch, direction);
  precondition(watch, s_, q_);
  finish(watch, [&] {
    if (positive(sums_[0])) alpha_ = gamma_ / sums_[0];
  });
  if (end_ != End::none) return;
  update(watch, [&](Range rows) {
    axpy(rows, alpha_, p_.data(), x_.data());
    axpy(rows, -alpha_, s_.data(), r_.data());
    axpy(rows, -alpha_, q_.data(), u_.data());
  });
  const Pair residual[] = {{&r_, &u_}, {&r_, &r_}};
  reduce(watch, residual);
  product(watch, u_, w_);
  finish(watch, [&] {
    beta_ = sums_[0] / gamma_;
    gamma_ = sums_[0];
    residual_is(sums_[1]);
  });
  update(watch, [&](Range rows) {
    xpay(rows, u_.data(), beta_, p_.data());
    xpay(rows, w_.data(), beta_, s_.data());
  });
}

void Family::pipelined_step(Watch<Phase>* watch) {
  update(watch, [&](Range rows) {
    xpay(rows, n_.data(), beta_, z_.data());
    xpay(rows, m_.data(), beta_, q_.data());
    xpay(rows, w_.data(), beta_, s_.data());
    xpay(rows, u_.data(), beta_, p_.data());
    axpy(rows, alpha_, p_.data(), x_.data());
    axpy(rows, -alpha_, s_.data(), r_.data());
    axpy(rows, -alpha_, q_.data(), u_.data());
    axpy(rows, -alpha_, z_.data(), w_.data());
  });
  if (choice_.method == Method::pipelined_replaced && (iterations() + 1) % choice_.replace == 0) {
    const InPhase<Phase> phase(watch, Phase::replace);
    replace();
  }
  const Pair all[] = {{&r_, &u_}, {&w_, &u_}, {&r_, &r_}};
  reduce(watch, all);
  precondition(watch, w_, m_);
  product(watch, m_, n_);
  finish(watch, [&] { take_both(); });
}

void Family::replace() {
  product(nullptr, x_, r_);
  update(nullptr, [&](Range rows) { waxpby(rows, 1.0, b_.data(), -1.0, r_.data(), r_.data()); });
  precondition(nullptr, r_, u_);
  product(nullptr, u_, w_);
  product(nullptr, p_, s_);
  precondition(nullptr, s_, q_);
  product(nullptr, q_, z_);
}

void Family::take_both() {
  residual_is(sums_[2]);
  if (end_ != End::none) return;
  const double gamma = sums_[0];
  beta_ = gamma / gamma_;
  const double below = sums_[1] - beta_ * gamma / alpha_;
  if (!positive(below)) return;
  alpha_ = gamma / below;
  gamma_ = gamma;
}

bool Family::positive(double sum) {
  if (sum > 0 && std::isfinite(sum)) return true;
  end_ = End::broken;
  return false;
}

void Family::residual_is(double rr) {
  const double residual = std::sqrt(rr) / of_b_;
  history_.push_back(residual);
  if (!std::isfinite(residual)) {
    end_ = End::broken;
  } else if (residual <= limit_) {
    end_ = End::converged;
  }
  if (residual < 0.9 * least_) {
    least_ = residual;
    least_at_ = iterations();
  } else if (patience_ > 0 && iterations() - least_at_ >= patience_ && end_ == End::none) {
    end_ = End::stagnated;
  }
}

}  // namespace tenken::cg_family
