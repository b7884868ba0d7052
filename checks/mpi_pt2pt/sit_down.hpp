// The two ranks go to the sockets that --sockets names.
#pragma once

#include <string>

#include "agree.hpp"
#include "cores.hpp"
#include "measure/check.hpp"
#include "measure/topology.hpp"

namespace mpi_pt2pt {

// Collective over two ranks; before any message has its memory. Throws UserError (lacking) where there is no such
// place.
inline void sit_down(const tenken::Check& check) {
  const std::string sockets = check.parameters().text("sockets");
  if (sockets == "as_placed") return;
  const tenken::Topology topology = read_topology(tenken::Tree("/"), given_processors());
  const Seat seat = seat_on(topology, sockets, check.rank() == 0, same_node(check.comm()));
  agree(check.comm(), tenken::ExitCode::lacking,
        seat.problem.empty() ? "" : "sockets " + sockets + ": " + seat.problem);
  move_to(seat.cpu);
}

}  // namespace mpi_pt2pt
