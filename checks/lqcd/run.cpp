#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "base/error.hpp"
#include "gauge/averages.hpp"
#include "gauge/heatbath.hpp"
#include "gauge/nersc_data.hpp"
#include "lanes/run_even_odd.hpp"
#include "numerics/replay.hpp"
#include "pion/run_pion.hpp"
#include "this_check.hpp"

namespace tenken::lqcd {

namespace validity = this_check::validity;

namespace {

Index4 index4(const Parameters& parameters, std::string_view name) {
  const auto numbers = parameters.integers(name);
  Index4 index;
  for (std::size_t d = 0; d < dimensions; ++d) index[d] = static_cast<int>(numbers[d]);
  return index;
}

std::string text_of(const Index4& index) {
  std::string text;
  for (const int n : index) text += (text.empty() ? "" : ",") + std::to_string(n);
  return text;
}

constexpr int most_iterations = 1000;
// What one iteration touches: links and the fields x, r, p, D p and D^dagger D p.
constexpr double bytes_a_site_and_iteration = 576 + 5 * 192;
// Only proved when asked for.
constexpr ValiditySpec converged{"residual/converged", Cg::converged,
                                 "|r|^2 / |b|^2 at the end of a solve to convergence"};
constexpr double rounding = 1e-12;  // of what is proved in double precision
constexpr int most_slices = 16;     // recorded
// Of |r|^2 / |b|^2: far below it a solve iterates on rounding errors alone, and at last divides zero by zero.
constexpr double exhausted = 1e-30;

void prove_plaquette(Check& check, Start start, const ExtendedLinks& made, const GaugeAverages& averages) {
  const double limit = 5 * hot_plaquette_deviation(made.geometry().block.lattice());
  // The judge holds the heat bath to it, and knows the others by itself.
  if (start != Start::heatbath) check.value("plaquette_deviation", "1", 0);
  switch (start) {
    case Start::cold:
      return check.prove_near(validity::plaquette, averages.plaquette, 1, rounding, "rounding");
    case Start::hot:
      return check.prove_near(validity::plaquette, averages.plaquette, 0, limit, "5 sigma, sigma^2 = 1/(18 x 6 V)");
    case Start::warm:
      // Independent links whose law does not change under rotations of colour have <U> = c 1, so that <plaquette> =
      // c^4; they fluctuate less than uniform ones.
      return check.prove_near(validity::plaquette, averages.plaquette, std::pow(averages.link_trace, 4), limit,
                              "5 sigma of uniform links");
    case Start::heatbath: {
      const LastPlaquettes last = last_plaquettes(made, check.parameters().real("beta"));
      check.value("plaquette_deviation", "1", last.deviation);
      return check.prove_near(validity::plaquette, last.plaquette, last.expected, 5 * last.deviation,
                              "5 sigma, Schwinger-Dyson equation of the links drawn last");
    }
  }
}

}  // namespace

Geometry make_geometry(const Check& check, const std::optional<NerscHeader>& file) {
  const Parameters& parameters = check.parameters();
  const bool from_file = file && !parameters.given("lattice");
  Index4 lattice = from_file ? file->lattice : index4(parameters, "lattice");
  Index4 grid = index4(parameters, "grid");
  if (!from_file && parameters.text("lattice_of") == "rank") {
    if (grid == Index4{}) grid = spread_grid(lattice, check.ranks());
    for (int d = 0; d < dimensions; ++d) lattice[d] *= std::max(grid[d], 1);
  }
  if (file && lattice != file->lattice) {
    refuse("--lattice gives " + text_of(lattice) + ", but the lattice of --configuration " +
           parameters.text("configuration") + " is " + text_of(file->lattice) + "; leave --lattice out");
  }
  grid = checked_grid(lattice, grid, check.ranks());
  // Links thrice, once with a halo, and a few spinors while proving, links once and the solver's fields later; and
  // tables.
  const int together = together_asked(parameters);
  const double bytes_a_site = 2 * 576 + 4 * 192 + 64 +
                              (parameters.text("solver") == "normal" ? 0 : even_odd_bytes_a_site(together)) +
                              (parameters.text("correlator") == "off" ? 0 : pion_bytes_a_site(together));
  Index4 extents;
  for (int d = 0; d < dimensions; ++d) extents[d] = lattice[d] / grid[d];
  check.require_memory(bytes_a_site * static_cast<double>(product(extents)) + ExtendedLinks::bytes(extents),
                       "this lattice");
  return Geometry(lattice, grid, check.rank());
}

Faults faults_of(const Check& check, const Geometry& geometry) {
  if (check.fault("zero_halo_face") && !geometry.divided()) {
    refuse(
        "--fault zero_halo_face needs at least 2 ranks, because a single one has no halo; start it with mpirun -n 2");
  }
  if (check.fault("lane_swap") && check.parameters().text("solver") == "normal") {
    refuse("--fault lane_swap needs a solver that works on vectors; give --solver even_odd, mixed or operator");
  }
  return {.zero_halo_face = check.fault("zero_halo_face") && check.rank() == 0,
          .gamma = check.fault("gamma_sign") ? Gamma::swapped : Gamma::right};
}

void flip_link(const Check& check, Links& links) {
  if (!check.fault("link_sign") || check.rank() != check.ranks() - 1) return;
  for (auto& row : links[links.size() / 2].at) {
    for (Complex<double>& a : row) a = -1.0 * a;
  }
}

void thermalise(const Check& check, std::uint64_t seed, ExtendedLinks& made, Links& links) {
  const Parameters& parameters = check.parameters();
  HeatBath bath(made, parameters.real("beta"), seed);
  const auto overrelaxation = static_cast<int>(parameters.integer("overrelaxation"));
  for (std::int64_t n = 0; n < parameters.integer("sweeps"); ++n) bath.sweep(overrelaxation);
  made.copy_to(links);
}

void prove_gauge_field(Check& check, const Configuration& configuration, const std::optional<NerscHeader>& file,
                       const ExtendedLinks& made, const Links& links) {
  const double error = links_error(check.comm(), links);
  const GaugeAverages averages = gauge_averages(made);
  if (file) {
    const NerscLimits limits = nersc_limits(*file);
    check.prove(validity::links, error, limits.links, "SU(3) within the file's precision");
    check.value("plaquette_deviation", "1", 0);
    check.prove_near(validity::plaquette, averages.plaquette, file->plaquette, limits.plaquette,
                     "header of the configuration");
  } else {
    check.prove(validity::links, error, rounding, "rounding");
    prove_plaquette(check, configuration.start, made, averages);
  }
  check.value("plaquette", "1", averages.plaquette);
  check.value("link_trace", "1", averages.link_trace);
}

void prove_operator(Check& check, const Subject& subject) {
  check.prove(validity::hermiticity, hermiticity_error(subject));
  check.prove(validity::covariance, covariance_error(subject));
  check.prove(validity::free_field, free_field_error(subject));
  check.prove(validity::reference, reference_error(subject));
}

void record_slices(Check& check, const std::vector<double>& x2) {
  for (std::size_t t = 0; t < std::min<std::size_t>(x2.size(), most_slices); ++t) {
    char name[32];
    std::snprintf(name, sizeof name, "slice_%03zu", t);
    check.value(name, "1", x2[t]);
  }
}

void solve(Check& check, Wilson& h, const Field& source) {
  const auto asked = static_cast<int>(check.parameters().integer("iterations"));
  Cg cg(check.comm(), h, source);
  Replay replay;
  std::vector<double> x2;
  check.repeat([&](int repetition) {
    if (replay.rehearsed()) return replay.step(cg, repetition);
    replay.rehearse(cg, asked > 0 ? asked : most_iterations, asked > 0 ? exhausted : Cg::converged);
    x2 = slices(check.comm(), h.geometry(), cg.x());
  });
  check.prove(validity::repeat, check.max_over_ranks(replay.deviation()));
  check.prove(validity::residual, cg.residual_error(), rounding, "double precision");
  if (asked == 0) check.prove(converged, replay.last());
  check.value("iterations", "1", replay.iterations());
  check.value("working_set_bytes", "B",
              bytes_a_site_and_iteration * static_cast<double>(product(h.geometry().block.lattice())));
  check.value("residual", "1", replay.last());
  record_slices(check, x2);
}

}  // namespace tenken::lqcd
