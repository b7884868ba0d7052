#include <doctest/doctest.h>

#include "exchange.hpp"
#include "players.hpp"

using namespace mpi_pairs;

TEST_CASE("what is sent in any round comes back, and a stale answer does not count") {
  const Players players = players_of(MPI_COMM_WORLD, "ranks");
  Exchange exchange(MPI_COMM_WORLD, 3000, 3);
  std::uint64_t sample = 0;
  for (const int round : rounds_of(players.size())) {
    const int partner = players.partner(round);
    if (partner == nobody) continue;
    for (const int passes : {1, 2}) {
      exchange.prepare(++sample);
      exchange.meet(partner);
      exchange.run(partner, passes);
      CHECK(exchange.wrong(partner) == 0);
    }
    exchange.prepare(++sample);
    CHECK((exchange.wrong(partner) > 0) == (players.ranks[static_cast<std::size_t>(players.me)] < partner));
  }
}

TEST_CASE("between nodes only the first rank of a node takes part") {
  const Players all = players_of(MPI_COMM_WORLD, "ranks");
  const Players nodes = players_of(MPI_COMM_WORLD, "nodes");
  CHECK(all.me != nobody);
  CHECK(nodes.nodes);
  CHECK(nodes.size() >= 1);
  CHECK(nodes.size() <= all.size());
  CHECK(nodes.ranks.front() == 0);
  // All ranks of this test are on one node, where auto means ranks.
  if (nodes.size() == 1) CHECK(players_of(MPI_COMM_WORLD, "auto").size() == all.size());
}
