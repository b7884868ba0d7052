#include "qcd/gauge/averages.hpp"

#include "qcd/gauge/su3.hpp"

namespace tenken::qcd {

namespace {

struct SiteSums {
  double spatial = 0;
  double temporal = 0;
  double trace = 0;
};

double plaquette(const ExtendedLinks& u, const Index4& x, int mu, int nu) {
  Index4 ahead = x;
  Index4 beside = x;
  ++ahead[mu];
  ++beside[nu];
  const Link up = u.at(x, mu) * u.at(ahead, nu);
  const Link back = u.at(x, nu) * u.at(beside, mu);
  return trace(up * adjoint(back)).re / colours;
}

SiteSums sums_at(const ExtendedLinks& u, const Index4& x) {
  SiteSums sums;
  for (int mu = 0; mu < directions; ++mu) {
    sums.trace += trace(u.at(x, mu)).re / colours;
    for (int nu = 0; nu < mu; ++nu) (mu == 3 ? sums.temporal : sums.spatial) += plaquette(u, x, mu, nu);
  }
  return sums;
}

}  // namespace

GaugeAverages gauge_averages(const ExtendedLinks& links) {
  const Geometry& g = links.geometry();
  const Decomposition& block = g.block;
  // One entry for each site, so that the order of the sums is fixed.
  std::vector<SiteSums> at(static_cast<std::size_t>(g.sites));
#pragma omp parallel for schedule(static)
  for (int site = 0; site < g.sites; ++site) at[site] = sums_at(links, coordinates(site, block.extents()));

  GaugeAverages averages{};
  averages.slices.resize(static_cast<std::size_t>(block.lattice()[3]));
  const std::int64_t sites_of_slice = block.face(3);
  for (int site = 0; site < g.sites; ++site) {
    SlicePlaquettes& slice = averages.slices[static_cast<std::size_t>(block.offset()[3] + site / sites_of_slice)];
    slice.spatial += at[site].spatial;
    slice.temporal += at[site].temporal;
    averages.link_trace += at[site].trace;
  }
  MPI_Allreduce(MPI_IN_PLACE, averages.slices.data(), static_cast<int>(2 * averages.slices.size()), MPI_DOUBLE, MPI_SUM,
                links.comm());
  MPI_Allreduce(MPI_IN_PLACE, &averages.link_trace, 1, MPI_DOUBLE, MPI_SUM, links.comm());
  const auto volume = static_cast<double>(product(block.lattice()));
  for (const SlicePlaquettes& slice : averages.slices) {
    averages.spatial += slice.spatial / (3 * volume);
    averages.temporal += slice.temporal / (3 * volume);
  }
  averages.plaquette = (averages.spatial + averages.temporal) / 2;
  averages.link_trace /= directions * volume;
  return averages;
}

}  // namespace tenken::qcd
