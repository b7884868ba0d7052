#include <doctest/doctest.h>

#include "measure/node_name.hpp"

using tenken::node_name;

namespace {

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

// Nodes of two ranks.
class Pairs {
 public:
  Pairs() { MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) / 2, 0, &node); }
  ~Pairs() { MPI_Comm_free(&node); }
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;

  MPI_Comm node = MPI_COMM_NULL;
};

}  // namespace

TEST_CASE("nodes whose hosts have one name are told apart") {
  const Pairs pairs;
  const bool second = rank_of(MPI_COMM_WORLD) >= 2;
  CHECK(node_name(MPI_COMM_WORLD, pairs.node, "vm") == (second ? "vm#2" : "vm"));
}

TEST_CASE("hosts with names of their own, and ranks of one node, are called as their host") {
  const Pairs pairs;
  const bool second = rank_of(MPI_COMM_WORLD) >= 2;
  CHECK(node_name(MPI_COMM_WORLD, pairs.node, second ? "n2" : "n1") == (second ? "n2" : "n1"));
  CHECK(node_name(MPI_COMM_WORLD, MPI_COMM_WORLD, "vm") == "vm");
}
