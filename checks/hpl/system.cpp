#include "system.hpp"

#include <algorithm>
#include <string>

#include "base/median.hpp"
#include "solve.hpp"
#include "this_check.hpp"

namespace hpl {

using namespace tenken;

namespace {

Pattern pattern_of(const Check& check) {
  const std::string name = check.parameters().text("matrix");
  return name == "swaps" ? Pattern::swaps : name == "singular" ? Pattern::singular : Pattern::random;
}

}  // namespace

System::System(Check& check, const Combination& of, int mapping, device::Device* card)
    : check_(check),
      of_(of),
      elements_(of.n, pattern_of(check)),
      faults_{check.fault("wrong_pivot"), check.fault("stale_panel")} {
  // A grid numbers its processes by rows.
  const int rank = check.rank();
  const int number = mapping == 0 ? rank : rank % of.p * of.q + rank / of.p;
  MPI_Comm_split(check.comm(), 0, number, &ordered_);
  grid_.emplace(ordered_, of.p, of.q);
  matrix_.emplace(*grid_, of.n, of.nb);
  const Route route = of.broadcast == of_tree ? Route::tree : of.broadcast < of_long ? Route::ring : Route::spread;
  elimination_.emplace(*grid_, *matrix_, of.nb, route, of.depth, card);
}

System::~System() {
  elimination_.reset();
  matrix_.reset();
  grid_.reset();
  MPI_Comm_free(&ordered_);
}

void System::solve() {
  matrix_->fill(elements_);
  MPI_Barrier(ordered_);
  const double start = MPI_Wtime();
  std::vector<double> x;
  {
    const Section lu{this_check::section::lu};
    elimination_->run(faults_);
    const Section s{this_check::section::lu_solve, solve_work(*grid_, *matrix_)};
    x = hpl::solve(*grid_, *matrix_, of_.nb);
  }
  seconds_.push_back(check_.max_over_ranks(MPI_Wtime() - start));
  residual_ = std::max(residual_, scaled_residual(*grid_, of_.nb, elements_, x));
}

double System::seconds() const { return median_of(seconds_); }

}  // namespace hpl
