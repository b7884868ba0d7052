// Which processors the ranks may use, and moving to one of them.
#pragma once

#include <string>
#include <vector>

#include "measure/topology.hpp"

namespace mpi_pt2pt {

// Those that the launcher gave to this process: its mask before anything was bound.
const std::vector<int>& given_processors();

// This thread runs on `cpu` from now on. Throws UserError (impossible) where the system refuses.
void move_to(int cpu);

// The two ranks of a pair on chosen sockets. `sockets` is "A-B": the rank that starts goes to the A-th socket of its
// node, the other to the B-th of its own; on one node and one socket to its first and its second core.
struct Seat {
  int cpu = -1;
  std::string problem;  // why there is none: a part of a sentence
};
Seat seat_on(const tenken::Topology& topology, const std::string& sockets, bool starts, bool one_node);

// Of the processors asked for those that a scan visits: all of `given` where `asked` is {-1}. `problem` names the first
// that is not among them.
std::vector<int> visited(const std::vector<std::int64_t>& asked, const std::vector<int>& given, std::string& problem);

// "0-3,8"
std::string list_of(const std::vector<int>& cpus);

}  // namespace mpi_pt2pt
