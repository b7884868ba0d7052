#include "qcd/boundary.hpp"

#include "base/error.hpp"

namespace tenken::qcd {

Signs boundary_of(const Parameters& parameters) {
  if (!parameters.has("boundary")) return periodic;
  const auto given = parameters.integers("boundary");
  Signs signs;
  for (std::size_t mu = 0; mu < directions; ++mu) {
    signs[mu] = static_cast<int>(given[mu]);
    if (signs[mu] == 0) {
      refuse("--boundary " + parameters.text("boundary") +
             " has a 0; each of the four signs must be 1 (periodic) or -1 (antiperiodic)");
    }
  }
  if (signs != periodic && parameters.has("links") && parameters.text("links") == "12" &&
      parameters.text("solver") != "normal") {
    refuse("--links 12 rebuilds links of SU(3), but --boundary " + parameters.text("boundary") +
           " makes the determinant of some -1; leave --links out or give 18");
  }
  return signs;
}

void cross_boundary(const Geometry& geometry, const Signs& boundary, Links& links) {
  if (boundary == periodic) return;
#pragma omp parallel for schedule(static)
  for (int site = 0; site < geometry.sites; ++site) {
    const Index4 x = geometry.global(site);
    for (int mu = 0; mu < directions; ++mu) {
      if (x[mu] != geometry.block.lattice()[mu] - 1) continue;
      for (auto& row : links[static_cast<std::size_t>(directions) * site + mu].at) {
        for (Complex<double>& a : row) a = static_cast<double>(boundary[mu]) * a;
      }
    }
  }
}

}  // namespace tenken::qcd
