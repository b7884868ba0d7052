#include "levels.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace tenken::tddft {

Levels::Levels(MPI_Comm comm, std::int64_t points) : count_(points) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (ranks > points && ranks % points != 0) {
    refuse("there are " + std::to_string(ranks) + " ranks for " + std::to_string(points) +
           " macro points; use a multiple of --macro_points, or at most as many ranks");
  }
  groups_ = static_cast<int>(std::min<std::int64_t>(ranks, points));
  places_ = ranks / groups_;
  group_ = rank / places_;
  place_ = rank % places_;
  MPI_Comm_split(comm, group_, place_, &within_);
  MPI_Comm_split(comm, place_, group_, &across_);
}

Levels::~Levels() {
  MPI_Comm_free(&within_);
  MPI_Comm_free(&across_);
}

}  // namespace tenken::tddft
