#include "shares.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"

namespace tenken::tddft {

namespace {

// Ranks divide the bands of each k-point.
std::vector<dft::Share> shares_of_bands(std::int64_t k_count, std::int64_t bands, int ranks) {
  std::vector<dft::Share> shares;
  for (std::int64_t k = 0; k < k_count; ++k) {
    const auto group = static_cast<int>(share_of(ranks, static_cast<int>(k), static_cast<int>(k_count)).size());
    for (int rank = 0; rank < group; ++rank) shares.push_back({{k, k + 1}, share_of(bands, rank, group)});
  }
  return shares;
}

}  // namespace

std::vector<dft::Share> shares_of(std::int64_t k_count, std::int64_t bands, const std::vector<std::int64_t>& weights,
                                  int ranks) {
  if (ranks > k_count * bands) {
    refuse("there are " + std::to_string(ranks) + " ranks, but " + std::to_string(k_count) + " k-points with " +
           std::to_string(bands) + " bands each to share; use at most " + std::to_string(k_count * bands) + " ranks");
  }
  if (weights.size() == 1 && ranks > k_count) return shares_of_bands(k_count, bands, ranks);
  const Range all_bands{0, bands};
  std::vector<dft::Share> shares;
  if (weights.size() == 1) {
    for (int rank = 0; rank < ranks; ++rank) shares.push_back({share_of(k_count, rank, ranks), all_bands});
    return shares;
  }
  if (static_cast<int>(weights.size()) != ranks) {
    refuse("there are " + std::to_string(weights.size()) + " --weights for " + std::to_string(ranks) +
           " ranks; state one for each rank, or leave them out");
  }
  const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::int64_t before = 0;
  for (const std::int64_t weight : weights) {
    const std::int64_t first = (2 * k_count * before + all) / (2 * all);  // to the nearest
    before += weight;
    const std::int64_t last = (2 * k_count * before + all) / (2 * all);
    if (last == first) {
      refuse("--weights leave rank " + std::to_string(shares.size()) + " none of the " + std::to_string(k_count) +
             " k-points; give it more, or leave it out");
    }
    shares.push_back({{first, last}, all_bands});
  }
  return shares;
}

dft::Share most_of(const std::vector<dft::Share>& shares) {
  dft::Share most{};
  for (const dft::Share& share : shares) {
    most.k.last = std::max(most.k.last, share.k.size());
    most.bands.last = std::max(most.bands.last, share.bands.size());
  }
  return most;
}

KGroup::KGroup(MPI_Comm comm, const dft::Share& mine) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_split(comm, static_cast<int>(mine.k.first), rank, &comm_);
}

KGroup::~KGroup() { MPI_Comm_free(&comm_); }

dft::SameK KGroup::same_k() const {
  dft::SameK same;
  MPI_Comm_rank(comm_, &same.rank);
  MPI_Comm_size(comm_, &same.ranks);
  same.gather = [comm = comm_, ranks = same.ranks](double* numbers, std::int64_t each, std::int64_t items) {
    MPI_Datatype item = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(each), MPI_DOUBLE, &item);
    MPI_Type_commit(&item);
    std::vector<int> counts, firsts;
    for (int rank = 0; rank < ranks; ++rank) {
      const Range part = share_of(items, rank, ranks);
      counts.push_back(static_cast<int>(part.size()));
      firsts.push_back(static_cast<int>(part.first));
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, numbers, counts.data(), firsts.data(), item, comm);
    MPI_Type_free(&item);
  };
  same.agree = [comm = comm_](double* numbers, std::int64_t n) {
    MPI_Bcast(numbers, static_cast<int>(n), MPI_DOUBLE, 0, comm);
  };
  return same;
}

}  // namespace tenken::tddft
