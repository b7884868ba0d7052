// A tracer carried by given fluxes of mass, with limited fluxes: upwind fluxes, and of the difference to fluxes of
// second order (Lax and Wendroff, edge by edge) as much as keeps the mixing ratio within that of the cell and its
// neighbours (Zalesak, J. Comput. Phys. 31 (1979) 335). Each flux is computed once and kept for both cells. Stable and
// without new extremes where less leaves a cell in a step than is in it.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "columns.hpp"
#include "edges.hpp"
#include "halo.hpp"
#include "simd/vec.hpp"

namespace atmosphere {

template <Order order>
class Tracer {
 public:
  // Collective. Layers of `dz` m.
  Tracer(MPI_Comm comm, const Patch& patch, const Edges& edges, const Shape<order>& shape, double dz);

  // Fluxes: kg/m^2/s, mean over a step; horizontal of own cells, the halo is brought here; upward on the lower face of
  // each layer. Densities before (with halo) and after: kg/m^3.
  struct Flow {
    double *x, *y, *z;
    const double* up;
    const double* before;
    const double* after;
  };
  void advance(double dt, const Flow& flow, StepWatch* watch);  // collective
  void leave_out_halos(bool stale) { flux_halo_.leave_out(stale), limit_halo_.leave_out(stale); }

  double* amount() { return amount_.data(); }  // density of the tracer, kg/m^3
  const double* amount() const { return amount_.data(); }
  std::int64_t messages() const { return flux_halo_.messages() + limit_halo_.messages(); }
  tenken::Work work() const;  // of each of its three entries a step
  // Fields of items and levels that it has, of a sphere: 3 edges a cell.
  static constexpr std::int64_t fields = 4 + 2 * 3 + 2;

 private:
  void ratios(const Flow& flow);
  void fluxes(double dt, const Flow& flow);
  void upwind(const Flow& flow);
  void correct();

  const Patch& patch_;
  const Edges& edges_;
  Shape<order> shape_, edge_shape_;
  double dz_;
  Field<order> amount_, ratio_, gain_, loss_;  // gain_, loss_: parts of the corrections that a cell bears
  // Of a step. Through edges, `from` to `to`, kg/m; through the lower faces of layers, upward, kg/m^3. The corrections
  // are the fluxes of second order less the upwind fluxes.
  Field<order> moved_, more_, moved_up_, more_up_;
  Halo flux_halo_, limit_halo_;
};

}  // namespace atmosphere
