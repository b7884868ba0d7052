// What the report draws of a flow: a profile beside exact or published values, and a plane of velocities.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "flow.hpp"
#include "measure/record_table.hpp"
#include "mesh.hpp"

namespace les {

// u at so many nodes of the whole box, by a function of this rank's own nodes. Collective.
template <class Velocity>
std::vector<double> at_nodes(MPI_Comm comm, const Box& box, const Mesh& mesh, const std::vector<Cells>& nodes,
                             const Velocity& velocity) {
  std::vector<std::pair<std::int64_t, std::size_t>> wanted;
  for (std::size_t i = 0; i < nodes.size(); ++i) wanted.emplace_back(box.node_number(nodes[i]), i);
  std::sort(wanted.begin(), wanted.end());
  std::vector<double> all(nodes.size());
  for (std::int64_t n = 0; n < mesh.own; ++n) {
    const std::pair<std::int64_t, std::size_t> first(mesh.node[static_cast<std::size_t>(n)], 0);
    for (auto at = std::lower_bound(wanted.begin(), wanted.end(), first);
         at != wanted.end() && at->first == first.first; ++at) {
      all[at->second] = velocity(n);
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

// Nodes on a line through the middle of the box, in periodic directions x and y through a quarter, where vortices are
// fastest: along y for u, along x for v; every n-th where there are more than 65.
std::vector<Cells> middle_line(const Box& box, std::size_t along);
// Nodes of the plane in the middle of z, row by row from the greatest y on; at most 48 x 48.
struct Plane {
  std::vector<int> x, y;  // nodes of columns, rows
  std::vector<Cells> nodes;
};
Plane middle_plane(const Box& box);

// profile_u: u against y on the middle line, or profile_v: v against x. Column exact_u (exact_v) where the flow is
// exact, or published for this cavity, whose points the rows then are: U. Ghia, K. N. Ghia, C. T. Shin, J. Comput.
// Phys. 48 (1982) 387, tables I and II.
tenken::Table profile_table(const Box& box, const Flow& flow, double time, std::size_t along,
                            const std::vector<double>& velocity);
tenken::Table plane_table(const Box& box, const Plane& plane, const std::vector<double>& u);
// Kinetic energy against time, at up to 64 of these, evenly.
struct Energy {
  double time, kinetic;
};
tenken::Table energy_table(const std::vector<Energy>& history);

}  // namespace les
