#include "source.hpp"

#include <cmath>

#include "base/error.hpp"
#include "vectors.hpp"

namespace tenken::lqcd {

PointSource point_of(const Check& check, const Geometry& geometry) {
  const Parameters& parameters = check.parameters();
  const auto site = parameters.integers("source_site");
  PointSource point{.spin = static_cast<int>(parameters.integer("source_spin")),
                    .colour = static_cast<int>(parameters.integer("source_colour"))};
  for (std::size_t mu = 0; mu < directions; ++mu) {
    point.site[mu] = static_cast<int>(site[mu]);
    if (point.site[mu] >= geometry.block.lattice()[mu]) {
      refuse("--source_site " + parameters.text("source_site") + " is outside the lattice, whose extent in " +
             "xyzt"[mu] + " is " + std::to_string(geometry.block.lattice()[mu]));
    }
  }
  return point;
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

}  // namespace tenken::lqcd
