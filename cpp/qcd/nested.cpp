#include "qcd/nested.hpp"

#include <cmath>

#include "qcd/bicgstab.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/vectors.hpp"

namespace tenken::qcd {

namespace {

class FieldSystem {
 public:
  using Vector = Field;
  static constexpr double breakdown = 1e-14;

  FieldSystem(Wilson& h, MPI_Comm comm, InnerSolver* inner, const NestedOptions& options)
      : h_(h), comm_(comm), inner_(inner), options_(options), turned_(make_field(h.geometry())) {
    MPI_Comm_size(comm, &ranks_);
  }

  Field make() const { return make_field(h_.geometry()); }
  void copy(const Field& from, Field& to) const {
    const Section s{options_.sections.vectors};
    qcd::copy(from, to);
  }
  void clear(Field& x) const {
    for (Spinor& site : x) site = {};
  }

  void apply(Field& out, Field& hat, const Field& in) {
    if (inner_ == nullptr) {
      copy(in, hat);
    } else {
      inner_->solve(in, hat);
    }
    operate(out, hat, options_.hop);
  }
  double exact(const Field& b, const Field& x, Field& r) {
    operate(r, x, options_.sections.update);
    xpay(b, -1, r);
    return std::sqrt(norm2(r));
  }

  Complex<double> dot(const Field& x, const Field& y) const {
    Complex<double> sum;
    {
      const Section s{options_.sections.vectors, work(2, 0, 2)};
      sum = complex_dot(x, y);
    }
    reduce(&sum.re, 2);
    return sum;
  }
  Dots dots(const Field& x, const Field& y) const {
    double sums[3];
    {
      const Section s{options_.sections.vectors, work(2, 0, 3)};
      const Complex<double> xy = complex_dot(x, y);
      sums[0] = xy.re;
      sums[1] = xy.im;
      sums[2] = qcd::norm2(x);
    }
    reduce(sums, 3);
    return {{sums[0], sums[1]}, sums[2]};
  }
  double norm2(const Field& x) const {
    double sum = 0;
    {
      const Section s{options_.sections.vectors, work(1, 0, 1)};
      sum = qcd::norm2(x);
    }
    reduce(&sum, 1);
    return sum;
  }
  void axpy(const Complex<double>& a, const Field& x, Field& y) const {
    const Section s{options_.sections.vectors, work(2, 1, 2)};
    qcd::axpy(a, x, y);
  }
  void turn(Field& p, const Field& r, const Field& v, const Complex<double>& beta, const Complex<double>& w) const {
    const Section s{options_.sections.vectors, work(3, 1, 4)};
    const auto sites = static_cast<std::int64_t>(p.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < sites; ++i) {
      for (int spin = 0; spin < spins; ++spin) {
        for (int c = 0; c < colours; ++c) {
          const Complex<double> rest = p[i].at[spin][c] - w * v[i].at[spin][c];
          p[i].at[spin][c] = plus_product(r[i].at[spin][c], beta, rest);
        }
      }
    }
  }

  std::int64_t sent_bytes() const { return sent_bytes_; }  // by this rank in halos
  void forget_sent() { sent_bytes_ = 0; }

 private:
  // Of vectors; `flop` in units of a multiplication and an addition for each number.
  Work work(int read, int written, int flop) const {
    const std::int64_t sites = h_.geometry().sites;
    return {.flop = flop * vector_flop * sites,
            .bytes_read = read * spinor_bytes * sites,
            .bytes_written = written * spinor_bytes * sites};
  }

  // out = D in, all its time as `hop` but for messages.
  void operate(Field& out, const Field& in, Leaf hop) {
    const Geometry& g = h_.geometry();
    const std::int64_t flop = h_.clover() != nullptr ? clover_flop + vector_flop / 2 : 0;
    const auto swept = [&](Work all, const std::vector<std::int32_t>& sites) {
      all.flop += flop * static_cast<std::int64_t>(sites.size());
      if (flop > 0) all.bytes_read += static_cast<std::int64_t>(sites.size() * sizeof(CloverSite));
      return Section(hop, all);
    };
    if (g.divided()) sent_bytes_ += h_.halo().bytes();
    h_.apply(turned_, in, [&](Step step) {
      switch (step) {
        case Step::pack:
          return Section(hop, pack_work(g));
        case Step::start:
          return Section(options_.sections.send, exchange_work(g));
        case Step::interior:
          return swept(interior_work(g), g.interior);
        case Step::boundary:
          return swept(boundary_work(g), g.boundary);
        case Step::wait:
        case Step::unpack:
          return Section(options_.sections.recv);
        case Step::sent:
          break;
      }
      return Section(options_.sections.send);
    });
    const Section s{options_.sections.vectors};
    gamma_5(turned_, out);
  }

  void reduce(double* numbers, int count) const {
    const Section s{options_.sections.reduction, reduction_work(ranks_, count)};
    MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_DOUBLE, MPI_SUM, comm_);
  }

  Wilson& h_;
  MPI_Comm comm_;
  InnerSolver* inner_;
  NestedOptions options_;
  Field turned_;
  std::int64_t sent_bytes_ = 0;
  int ranks_ = 1;
};

}  // namespace

struct NestedSolver::State {
  State(Wilson& wilson, MPI_Comm comm, InnerSolver* inner_solver, const NestedOptions& given)
      : h(wilson),
        options(given),
        inner(inner_solver),
        system(wilson, comm, inner_solver, given),
        krylov(system, given.tolerance),
        b(make_field(wilson.geometry())) {}

  Wilson& h;
  NestedOptions options;
  InnerSolver* inner;
  FieldSystem system;
  BiCgStab<FieldSystem> krylov;
  Field b;
  std::optional<Field> untested;
};

NestedSolver::NestedSolver(Wilson& h, MPI_Comm comm, InnerSolver* inner, const NestedOptions& options)
    : state_(std::make_unique<State>(h, comm, inner, options)) {}
NestedSolver::~NestedSolver() = default;

void NestedSolver::take(std::span<const Field> b) { copy(b[0], state_->b); }

void NestedSolver::start() {
  if (state_->inner != nullptr) state_->inner->clear();
  state_->system.forget_sent();
  state_->untested.reset();
  state_->krylov.start(state_->b);
}

void NestedSolver::step() {
  const Section whole{state_->options.sections.solver};
  if (!state_->options.untested) return state_->krylov.step();
  state_->untested.emplace(make_field(state_->h.geometry()));
  state_->inner->solve(state_->b, *state_->untested);
}

void NestedSolver::stop(int) {}
int NestedSolver::iteration() const { return state_->untested ? 1 : state_->krylov.iteration(); }
double NestedSolver::residual(int) const {
  return state_->untested ? state_->inner->residual() : state_->krylov.residual();
}
void NestedSolver::solution(std::span<Field> x) {
  copy(state_->untested ? *state_->untested : state_->krylov.x(), x[0]);
}

double NestedSolver::residual_error(int, double) {
  // 1 + 8 kappa bounds D without the clover term, whose blocks have no eigenvalue beyond 1 for usual fields.
  return state_->krylov.drift(2 + 8 * std::abs(state_->h.kappa()));
}

int NestedSolver::restarts() const {
  return state_->krylov.restarts() + (state_->inner != nullptr ? state_->inner->restarts() : 0);
}
int NestedSolver::updates() const { return state_->krylov.updates(); }
std::int64_t NestedSolver::inner_steps() const { return state_->inner != nullptr ? state_->inner->steps() : 0; }
std::int64_t NestedSolver::sent_bytes() const {
  return state_->system.sent_bytes() + (state_->inner != nullptr ? state_->inner->sent_bytes() : 0);
}
bool NestedSolver::stagnated() const { return state_->krylov.stagnated(); }

}  // namespace tenken::qcd
