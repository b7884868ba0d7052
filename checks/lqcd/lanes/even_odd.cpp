#include "lanes/even_odd.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "lanes/even_odd_solver.hpp"

namespace tenken::lqcd {

namespace {

// Times of the layouts compared at the start.
constexpr int trial_applications = 6;

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
                                       std::span<const Field> sources, const EvenOddOptions& options) {
  using Exact = Native<double, 3>;
  std::vector<Candidate> candidates;
  const auto together = static_cast<int>(sources.size());
  const bool choice = options.links == "auto" || options.storage == "auto";
  const auto consider = [&]<int rows>(std::integral_constant<int, rows>, bool once) {
    using Own = Native<Real, rows>;
    constexpr bool exact_itself = std::is_same_v<Own, Exact>;
    const HoppingOptions hopping{once, options.overlap, options.barrier};
    const bool no_swaps = options.no_swaps;
    const auto make = [=, &g, &links]() -> std::unique_ptr<EvenOddSolver> {
      auto exact = exact_itself ? nullptr : std::make_unique<Layout<Exact>>(comm, links, together, hopping);
      return std::make_unique<Solver<Own, Exact>>(
          comm, g, std::make_unique<Layout<Own>>(comm, links, together, hopping, no_swaps), std::move(exact), kappa,
          sources);
    };
    double seconds = 0;
    if (choice) {
      Layout<Own> layout(comm, links, together, hopping);
      seconds = trial(comm, layout);
    }
    candidates.push_back({seconds, make});
  };
  for (const bool once : {false, true}) {
    if (options.storage == (once ? "twice" : "once")) continue;
    if (once && options.storage == "auto" && together > 1) continue;
    if (options.links != "12") consider(std::integral_constant<int, 3>{}, once);
    if (options.links != "18") consider(std::integral_constant<int, 2>{}, once);
  }
  const auto less = [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; };
  return std::min_element(candidates.begin(), candidates.end(), less)->make();
}

}  // namespace

std::unique_ptr<EvenOddSolver> make_even_odd(MPI_Comm comm, const Geometry& g, const ExtendedLinks& links, double kappa,
                                             std::span<const Field> sources, const EvenOddOptions& options) {
  return options.mixed ? fastest<float>(comm, g, links, kappa, sources, options)
                       : fastest<double>(comm, g, links, kappa, sources, options);
}

}  // namespace tenken::lqcd
