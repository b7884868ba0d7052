// The parts of an iteration that the methods have in common, and what they cost.
#include <cmath>

#include "family.hpp"
#include "numerics/vectors.hpp"
#include "work.hpp"

namespace tenken::cg_family {

void Family::product(Watch<Phase>* watch, const Buffer<double>& in, Buffer<double>& out) {
  {
    const InPhase<Phase> phase(watch, Phase::halo);
    if (system_.has_halo()) team_.aside([&] { system_.start_halo(in.data()); });
  }
  {
    const InPhase<Phase> phase(watch, Phase::spmv);
    team_.all([&](int thread) {
      system_.multiply_inside(thread, in.data(), out.data());
      if (thread == 0) sums_.poll();
    });
  }
  if (!system_.has_halo()) return;
  {
    const InPhase<Phase> phase(watch, Phase::halo);
    team_.first([&] { system_.finish_halo(); });
  }
  const InPhase<Phase> phase(watch, Phase::spmv);
  team_.all([&](int thread) { system_.add_halo(thread, out.data()); });
}

void Family::precondition(Watch<Phase>* watch, const Buffer<double>& in, Buffer<double>& out) {
  const InPhase<Phase> phase(watch, Phase::precond);
  if (system_.preconditioner() == Preconditioner::point) {
    team_.all([&](int thread) { system_.point(thread, in.data(), out.data()); });
  } else {
    const int colours = system_.matrix().colours();
    team_.colours(0, colours, [&](int thread, int colour) {
      system_.forward(thread, colour, in.data(), out.data());
      if (thread == 0) sums_.poll();
    });
    team_.colours(colours - 2, -1, [&](int thread, int colour) {
      system_.backward(thread, colour, out.data());
      if (thread == 0) sums_.poll();
    });
  }
  if (system_.has_fault()) team_.all([&](int thread) { system_.add_fault(thread, in.data(), out.data()); });
}

void Family::reduce(Watch<Phase>* watch, std::span<const Pair> pairs) {
  {
    const InPhase<Phase> phase(watch, Phase::dot);
    team_.all([&](int thread) {
      Sums::Values sums{};
      system_.shares().over_pieces(thread, [&](Range rows) {
        for (std::size_t k = 0; k < pairs.size(); ++k) {
          sums[k] += dot(rows, pairs[k].first->data(), pairs[k].second->data());
        }
      });
      for (std::size_t k = 0; k < pairs.size(); ++k) sums_.part(thread, static_cast<int>(k)) = sums[k];
    });
  }
  const InPhase<Phase> phase(watch, Phase::reduction);
  const auto start = [&] { sums_.start(static_cast<int>(pairs.size())); };
  if (sums_.blocking()) {
    team_.first(start);
  } else {
    team_.aside(start);
  }
}

double Family::length2(const Buffer<double>& v) const {
  const Shares& shares = system_.shares();
  double sum = 0;
#pragma omp parallel num_threads(shares.threads()) reduction(+ : sum)
  sum += shares.dot(omp_get_thread_num(), v, v);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, system_.comm());
  return sum;
}

Family::Residuals Family::residuals(double norm) {
  Buffer<double> rest = system_.vector("the true residual");
  team_.solve([&] { product(nullptr, x_, rest); });
  const auto padded = static_cast<std::int64_t>(rest.size());
  waxpby(padded, 1.0, b_.data(), -1.0, rest.data(), rest.data());
  const double truth = std::sqrt(length2(rest));
  axpy(padded, -1.0, r_.data(), rest.data());
  return {truth / of_b_, std::sqrt(length2(rest)) / (of_b_ + norm * std::sqrt(length2(x_))),
          std::sqrt(length2(r_)) / of_b_};
}

std::array<Work, phases> Family::work() const {
  std::array<Work, phases> work;
  const auto of = [&](Phase phase) -> Work& { return work[static_cast<std::size_t>(phase)]; };
  int ranks = 1;
  MPI_Comm_size(system_.comm(), &ranks);
  of(Phase::halo) = halo_work(system_);
  of(Phase::spmv) = spmv_work(system_);
  of(Phase::precond) = precond_work(system_);
  of(Phase::dot) = dot_work(choice_.method, system_.rows());
  of(Phase::update) = update_work(choice_.method, system_.rows());
  of(Phase::reduction) = reduction_work(choice_.method, ranks);
  of(Phase::replace) = replace_work(system_);
  return work;
}

}  // namespace tenken::cg_family
