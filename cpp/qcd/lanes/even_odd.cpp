#include "qcd/lanes/even_odd.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

#include "qcd/lanes/even_odd_solver.hpp"

namespace tenken::qcd {

namespace {

// Times of the layouts compared at the start.
constexpr int trial_applications = 6;

// Seconds of a few hops to either parity, of the slowest rank.
template <class Real, int width>
double trial(MPI_Comm comm, Layout<Real, width>& layout) {
  auto even = make_lane_field<Vec<Real, width>>(layout.lanes);
  auto odd = make_lane_field<Vec<Real, width>>(layout.lanes);
  double best = 1e300;
  for (int i = 0; i < trial_applications; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    layout.hopping->apply(1, odd, even, nullptr, 0, untimed);
    layout.hopping->apply(0, even, odd, nullptr, 0, untimed);
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

template <class Real, int width>
std::unique_ptr<EvenOddSolver> fastest(MPI_Comm comm, const Geometry& g, const ExtendedLinks& links, double kappa,
                                       std::span<const Field> sources, const EvenOddOptions& options) {
  using Made = Solver<Real, width>;
  std::vector<Candidate> candidates;
  const auto together = static_cast<int>(sources.size());
  const bool choice = options.links == "auto" || options.storage == "auto";
  const auto consider = [&](int rows, bool once) {
    const HoppingOptions hopping{once, options.overlap, options.barrier};
    const bool no_swaps = options.no_swaps;
    const SolverSections sections = options.sections;
    const auto make = [=, &g, &links]() -> std::unique_ptr<EvenOddSolver> {
      std::unique_ptr<Layout<double, Made::exact_width>> exact;
      if (Made::mixed || rows != colours) {
        exact = std::make_unique<Layout<double, Made::exact_width>>(comm, links, together, colours, hopping);
      }
      auto own = std::make_unique<Layout<Real, width>>(comm, links, together, rows, hopping, no_swaps);
      return std::make_unique<Made>(comm, g, std::move(own), std::move(exact), kappa, sources, sections);
    };
    double seconds = 0;
    if (choice) {
      Layout<Real, width> layout(comm, links, together, rows, hopping);
      seconds = trial(comm, layout);
    }
    candidates.push_back({seconds, make});
  };
  for (const bool once : {false, true}) {
    if (options.storage == (once ? "twice" : "once")) continue;
    if (once && options.storage == "auto" && together > 1) continue;
    if (options.links != "12") consider(colours, once);
    if (options.links != "18") consider(2, once);
  }
  const auto less = [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; };
  return std::min_element(candidates.begin(), candidates.end(), less)->make();
}

// With vectors of `lanes`, a power of two up to `width`.
template <class Real, int width = widest_width<Real>>
std::unique_ptr<EvenOddSolver> of_lanes(int lanes, MPI_Comm comm, const Geometry& g, const ExtendedLinks& links,
                                        double kappa, std::span<const Field> sources, const EvenOddOptions& options) {
  if constexpr (width > 1) {
    if (lanes < width) return of_lanes<Real, width / 2>(lanes, comm, g, links, kappa, sources, options);
  }
  return fastest<Real, width>(comm, g, links, kappa, sources, options);
}

}  // namespace

std::unique_ptr<EvenOddSolver> make_even_odd(MPI_Comm comm, const Geometry& g, const ExtendedLinks& links, double kappa,
                                             std::span<const Field> sources, const EvenOddOptions& options) {
  const int bytes_a_real = options.mixed ? sizeof(float) : sizeof(double);
  const int lanes = widest_lanes(g, options.vector_bytes / bytes_a_real);
  return options.mixed ? of_lanes<float>(lanes, comm, g, links, kappa, sources, options)
                       : of_lanes<double>(lanes, comm, g, links, kappa, sources, options);
}

}  // namespace tenken::qcd
