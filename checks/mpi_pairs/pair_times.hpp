// How long each pair took, as a matrix: a row for each player, with what that player saw of the others.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "measure/record_table.hpp"
#include "players.hpp"

namespace mpi_pairs {

constexpr int largest_matrix = 1024;  // players; of more there is no matrix, as only few of its pairs meet

class PairTimes {
 public:
  PairTimes(const Players& players, int meetings);

  // One meeting of this rank with `partner` (a rank): time of the sample, which had so many one-way messages.
  void add(int partner, std::int64_t ns, int messages);

  // Collective: medians in microseconds a message, on rank 0 alone. A cell is empty where two did not meet.
  tenken::Table table(MPI_Comm comm, const std::string& host, const std::string& name) const;

 private:
  const Players& players_;
  std::vector<std::vector<double>> ns_;  // a message, by player number of the partner; empty where there is no matrix
};

}  // namespace mpi_pairs
