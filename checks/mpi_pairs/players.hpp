// Who takes part in the tournament.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tournament.hpp"

namespace mpi_pairs {

struct Players {
  std::vector<int> ranks;  // in order: position = player number
  int me = nobody;         // player number of this rank
  bool nodes = false;      // one rank of each node

  int size() const { return static_cast<int>(ranks.size()); }
  // Rank to meet in a round, nobody where this rank sits out.
  int partner(int round) const {
    const int other = me == nobody ? nobody : partner_of(me, round, size());
    return other == nobody ? nobody : ranks[static_cast<std::size_t>(other)];
  }
};

// Collective. between: "nodes", "ranks" or "auto" (nodes where there are at least two).
inline Players players_of(MPI_Comm comm, const std::string& between) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm node;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int node_rank = 0;
  MPI_Comm_rank(node, &node_rank);
  MPI_Comm_free(&node);
  std::vector<int> first(static_cast<std::size_t>(size));
  const int mine = node_rank == 0 ? 1 : 0;
  MPI_Allgather(&mine, 1, MPI_INT, first.data(), 1, MPI_INT, comm);
  Players players;
  players.nodes = between == "nodes" || (between == "auto" && std::count(first.begin(), first.end(), 1) > 1);
  for (int r = 0; r < size; ++r) {
    if (players.nodes && first[static_cast<std::size_t>(r)] == 0) continue;
    if (r == rank) players.me = players.size();
    players.ranks.push_back(r);
  }
  return players;
}

}  // namespace mpi_pairs
