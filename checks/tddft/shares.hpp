// Which orbitals a rank works on.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "numerics/dft/share.hpp"

namespace tenken::tddft {

// Shares of `k_count` k-points and `bands` occupied bands of each, in the order of ranks, in proportion to weights
// (paper 000's symmetric mode: ranks on processors of unlike speed). One weight stands for equal shares. More ranks
// than k-points divide the bands of a k-point. Throws UserError where there are more ranks than orbitals, the weights
// are not one for each rank, or some rank would be left without.
std::vector<dft::Share> shares_of(std::int64_t k_count, std::int64_t bands, const std::vector<std::int64_t>& weights,
                                  int ranks);

// As many k-points and bands as the rank with most of each has, from 0.
dft::Share most_of(const std::vector<dft::Share>& shares);

// The ranks of `comm` that have the k-points of this rank.
class KGroup {
 public:
  // Collective.
  KGroup(MPI_Comm comm, const dft::Share& mine);
  ~KGroup();
  KGroup(const KGroup&) = delete;
  KGroup& operator=(const KGroup&) = delete;

  dft::SameK same_k() const;  // uses this group's communicator

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace tenken::tddft
