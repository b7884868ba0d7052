#include "qcd/launch/source.hpp"

#include <cmath>

#include "base/error.hpp"
#include "qcd/vectors.hpp"

namespace tenken::qcd {

Index4 source_site(const Parameters& parameters, const Geometry& geometry) {
  const auto asked = parameters.integers("source_site");
  Index4 site{};
  for (std::size_t mu = 0; mu < directions; ++mu) {
    site[mu] = static_cast<int>(asked[mu]);
    if (site[mu] >= geometry.block.lattice()[mu]) {
      refuse("--source_site " + parameters.text("source_site") + " is outside the lattice, whose extent in " +
             "xyzt"[mu] + " is " + std::to_string(geometry.block.lattice()[mu]));
    }
  }
  return site;
}

PointSource point_of(const Check& check, const Geometry& geometry) {
  const Parameters& parameters = check.parameters();
  return {.site = source_site(parameters, geometry),
          .spin = static_cast<int>(parameters.integer("source_spin")),
          .colour = static_cast<int>(parameters.integer("source_colour"))};
}

Field make_source(const Check& check, const Geometry& geometry, const PointSource& point, std::uint64_t seed) {
  Field b = make_field(geometry);
  const std::string& kind = check.parameters().text("source");
  if (kind == "random") {
    fill_random(geometry, seed, Purpose::source, b);
  } else if (kind == "constant") {
    fill_constant(geometry, b);
  } else {
    fill_point(geometry, point, b);
  }
  return b;
}

void record_source(Check& check, Wilson& h, const Field& b) {
  Field d = make_field(h.geometry());
  h.apply(d, b);  // gamma_5 D b, as long as D b
  check.value("source_norm", "1", std::sqrt(check.sum_over_ranks(norm2(b))));
  check.value("operator_norm", "1", std::sqrt(check.sum_over_ranks(norm2(d))));
}

}  // namespace tenken::qcd
