// Two levels of ranks: those that share the k-points of one macro point, and those of one place in it that exchange
// light. Fewer ranks than macro points: each has several of its own.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "numerics/team.hpp"

namespace tenken::tddft {

class Levels {
 public:
  // Collective. Throws UserError where the ranks are neither at most `points` nor a multiple of them.
  Levels(MPI_Comm comm, std::int64_t points);
  ~Levels();
  Levels(const Levels&) = delete;
  Levels& operator=(const Levels&) = delete;

  MPI_Comm within() const { return within_; }  // a group: ranks of the same macro points
  MPI_Comm across() const { return across_; }  // a rank of each group; its number is that of the group
  int place() const { return place_; }         // rank in within()
  int places() const { return places_; }
  int group() const { return group_; }
  int groups() const { return groups_; }
  Range points() const { return points_of(group_); }  // macro points of this group
  Range points_of(int group) const { return share_of(count_, group, groups_); }

 private:
  std::int64_t count_;
  int group_ = 0, groups_ = 1, place_ = 0, places_ = 1;
  MPI_Comm within_ = MPI_COMM_NULL, across_ = MPI_COMM_NULL;
};

}  // namespace tenken::tddft
