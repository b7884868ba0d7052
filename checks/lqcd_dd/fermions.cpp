#include "fermions.hpp"

#include <algorithm>
#include <cmath>

#include "qcd/clover_ref.hpp"
#include "qcd/gauge/su3.hpp"
#include "sections.hpp"

namespace tenken::lqcd_dd {

using namespace qcd;

namespace {

constexpr int lost_pivot = 3;  // of the fault pivot_zero

using C = std::complex<double>;

struct Errors {
  double reference = 0;  // largest of an element, relative to the largest
  double energy = 0;     // of packed blocks, and
  double loops = 0;      // of loops
};

// Column `column` of the packed term of a site, with its 1.
Spinor column_of(const CloverSite& site, std::size_t column) {
  Spinor unit{};
  unit.at[column / colours][column % colours] = {1, 0};
  Spinor image = clover_times(site, unit);
  image.at[column / colours][column % colours].re += 1;
  return image;
}

Errors errors_at(const Geometry& g, const ExtendedLinks& around, const CloverField& term, std::span<const int> sites,
                 double kappa, double csw) {
  const LinkAt link = [&](const Index4& at, int mu) { return around.around(at, mu); };
  const Index4& lattice = g.block.lattice();
  Errors errors;
  CloverField some(sites.size(), Pages::any, "the clover term at sites of proofs");
  for (std::size_t i = 0; i < sites.size(); ++i) {
    advanced();
    some[i] = term[static_cast<std::size_t>(sites[i])];
    const Index4 x = g.global(sites[i]);
    const SiteMatrix expected = clover_reference(lattice, x, link, kappa, csw);
    double worst = 0, most = 0;
    for (std::size_t column = 0; column < site_size; ++column) {
      const Spinor image = column_of(some[i], column);
      for (std::size_t row = 0; row < site_size; ++row) {
        const auto& a = image.at[row / colours][row % colours];
        worst = larger(worst, std::abs(C(a.re, a.im) - expected[row][column]));
        most = std::max(most, std::abs(expected[row][column]));
      }
    }
    errors.reference = larger(errors.reference, worst / most);
    errors.loops += clover_energy_reference(lattice, x, link);
  }
  errors.energy = clover_energy(some, kappa, csw);
  return errors;
}

}  // namespace

void add_clover_term(Check& check, PreparedField& field, const ExtendedLinks& around, Fermions& fermions) {
  const Parameters& parameters = check.parameters();
  const double csw = parameters.real("csw"), kappa = parameters.real("kappa");
  if (csw == 0) return;
  const Geometry& g = field.geometry();
  const Section timed{section::setup};
  fermions.term = make_clover(
      around, kappa, csw,
      {.sign_xy = check.fault("clover_sign") ? -1.0 : 1.0, .factor = check.fault("clover_factor") ? 2.0 : 1.0});
  CloverInverse inverse = invert_clover(
      g, *fermions.term, check.fault("pivot_zero") && check.rank() == check.ranks() - 1 ? lost_pivot : -1);
  fermions.inverse = std::move(inverse.field);
  field.h().set_clover(&*fermions.term);

  const std::uint64_t seed = field.configuration().seed;
  const Errors errors = errors_at(g, around, *fermions.term, proof_sites(g, seed), kappa, csw);
  check.prove(validity::clover_reference, check.max_over_ranks(errors.reference));
  const double energy = check.sum_over_ranks(errors.energy), loops = check.sum_over_ranks(errors.loops);
  // Unit links have neither.
  check.prove(validity::clover_energy, std::abs(energy - loops) / std::max(loops, 1e-12));
  const Subject subject{check.comm(), g, seed, around, field.links(), field.h(), {}};
  check.prove(validity::clover_hermiticity, hermiticity_error(subject));
  check.prove(validity::clover_inverse, check.max_over_ranks(inverse_error(*fermions.term, *fermions.inverse)));
  check.value("log_det", "1", check.sum_over_ranks(inverse.log_det));
  check.value("clover_energy", "1",
              check.sum_over_ranks(clover_energy(*fermions.term, kappa, csw)) /
                  static_cast<double>(product(g.block.lattice())));
}

}  // namespace tenken::lqcd_dd
