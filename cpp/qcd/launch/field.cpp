#include "qcd/launch/field.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "qcd/gauge/averages.hpp"
#include "qcd/gauge/heatbath.hpp"
#include "qcd/gauge/nersc_data.hpp"
#include "qcd/launch/input.hpp"

namespace tenken::qcd {

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

constexpr double rounding = 1e-12;  // of what is proved in double precision

void prove_plaquette(Check& check, const ValiditySpec& proof, Start start, const ExtendedLinks& made,
                     const GaugeAverages& averages) {
  const double limit = 5 * hot_plaquette_deviation(made.geometry().block.lattice());
  // The judge holds the heat bath to it, and knows the others by itself.
  if (start != Start::heatbath) check.value("plaquette_deviation", "1", 0);
  switch (start) {
    case Start::cold:
      return check.prove_near(proof, averages.plaquette, 1, rounding, "rounding");
    case Start::hot:
      return check.prove_near(proof, averages.plaquette, 0, limit, "5 sigma, sigma^2 = 1/(18 x 6 V)");
    case Start::warm:
      // Independent links whose law does not change under rotations of colour have <U> = c 1, so that <plaquette> =
      // c^4; they fluctuate less than uniform ones.
      return check.prove_near(proof, averages.plaquette, std::pow(averages.link_trace, 4), limit,
                              "5 sigma of uniform links");
    case Start::heatbath: {
      const LastPlaquettes last = last_plaquettes(made, check.parameters().real("beta"));
      check.value("plaquette_deviation", "1", last.deviation);
      return check.prove_near(proof, last.plaquette, last.expected, 5 * last.deviation,
                              "5 sigma, Schwinger-Dyson equation of the links drawn last");
    }
  }
}

// Lattice and grid of ranks as the parameters ask, or the lattice of the file that is read.
Geometry make_geometry(const Check& check, const std::optional<NerscHeader>& file, double bytes_a_site,
                       const Index4& block) {
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
  Index4 blocks{};
  bool whole = grid == Index4{};
  for (int d = 0; d < dimensions; ++d) {
    blocks[d] = lattice[d] / block[d];
    whole = whole && lattice[d] % block[d] == 0;
  }
  // The grid of the blocks is that of the lattice.
  grid = checked_grid(whole ? blocks : lattice, grid, check.ranks());
  // Links thrice, once with a halo, and a few spinors while proving, links once and the solver's fields later; and
  // tables.
  const double proving = 2 * 576 + 4 * 192 + 64;
  Index4 extents;
  for (int d = 0; d < dimensions; ++d) extents[d] = lattice[d] / grid[d];
  check.require_memory((proving + bytes_a_site) * static_cast<double>(product(extents)) + ExtendedLinks::bytes(extents),
                       "this lattice");
  return Geometry(lattice, grid, check.rank());
}

// Faults of this rank.
Faults faults_of(const Check& check, const Geometry& geometry) {
  if (check.fault("zero_halo_face") && !geometry.divided()) {
    refuse(
        "--fault zero_halo_face needs at least 2 ranks, because a single one has no halo; start it with mpirun -n 2");
  }
  if (check.fault("lane_swap") && check.parameters().has("solver") && check.parameters().text("solver") == "normal") {
    refuse("--fault lane_swap needs a solver that works on vectors; give --solver even_odd or mixed");
  }
  return {.zero_halo_face = check.fault("zero_halo_face") && check.rank() == 0,
          .gamma = check.fault("gamma_sign") ? Gamma::swapped : Gamma::right};
}

// The fault link_sign, on the last rank: the sign of one link.
void flip_link(const Check& check, Links& links) {
  if (!check.fault("link_sign") || check.rank() != check.ranks() - 1) return;
  for (auto& row : links[links.size() / 2].at) {
    for (Complex<double>& a : row) a = -1.0 * a;
  }
}

// Sweeps of the heat bath over `made`, as the parameters ask, and the outcome to `links`.
void thermalise(const Check& check, std::uint64_t seed, ExtendedLinks& made, Links& links) {
  const Parameters& parameters = check.parameters();
  HeatBath bath(made, parameters.real("beta"), seed);
  const auto overrelaxation = static_cast<int>(parameters.integer("overrelaxation"));
  for (std::int64_t n = 0; n < parameters.integer("sweeps"); ++n) bath.sweep(overrelaxation);
  made.copy_to(links);
}

// Proves links and plaquette of the gauge field, and records its plaquette and mean link. A file's links and averages
// are held against its header, within the precision of the file.
void prove_gauge_field(Check& check, const FieldProofs& proofs, Start start, const std::optional<NerscHeader>& file,
                       const ExtendedLinks& made, const Links& links) {
  const double error = links_error(check.comm(), links);
  const GaugeAverages averages = gauge_averages(made);
  if (file) {
    const NerscLimits limits = nersc_limits(*file);
    check.prove(proofs.links, error, limits.links, "SU(3) within the file's precision");
    check.value("plaquette_deviation", "1", 0);
    check.prove_near(proofs.plaquette, averages.plaquette, file->plaquette, limits.plaquette,
                     "header of the configuration");
  } else {
    check.prove(proofs.links, error, rounding, "rounding");
    prove_plaquette(check, proofs.plaquette, start, made, averages);
  }
  check.value("plaquette", "1", averages.plaquette);
  check.value("link_trace", "1", averages.link_trace);
}

Configuration configuration_of(const Parameters& parameters) {
  return {start_from(parameters.text("start")), parameters.real("epsilon"),
          static_cast<std::uint64_t>(parameters.integer("seed"))};
}

}  // namespace

PreparedField::PreparedField(Check& check, double bytes_a_site, const Index4& block)
    : header_(configuration_header(check)),
      geometry_(make_geometry(check, header_, bytes_a_site, block)),
      boundary_(boundary_of(check.parameters())),
      faults_(faults_of(check, geometry_)),
      configuration_(configuration_of(check.parameters())) {}

void PreparedField::make(Check& check, Leaf setup, const FieldProofs& proofs) {
  {
    const Section timed{setup};
    links_ = first_links(check, geometry_, configuration_, header_);
    made_.emplace(check.comm(), geometry_, links_);
    const bool heat_bath = !header_ && configuration_.start == Start::heatbath;
    if (heat_bath) thermalise(check, configuration_.seed, *made_, links_);
    settle(check, configuration_, header_, *made_, links_);
  }
  flip_link(check, links_);
  {
    const Section timed{setup};
    prove_gauge_field(check, proofs, configuration_.start, header_, *made_, links_);
    cross_boundary(geometry_, boundary_, links_);
  }
  h_.emplace(check.comm(), geometry_, links_, check.parameters().real("kappa"), faults_);
  {
    const Section timed{setup};
    const Subject subject{check.comm(), geometry_, configuration_.seed, *made_, links_, *h_, faults_, boundary_};
    check.prove(proofs.hermiticity, hermiticity_error(subject));
    check.prove(proofs.covariance, covariance_error(subject));
    check.prove(proofs.free_field, free_field_error(subject));
    check.prove(proofs.reference, reference_error(subject));
    made_.reset();
  }
}

}  // namespace tenken::qcd
