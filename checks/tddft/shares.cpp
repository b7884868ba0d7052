#include "shares.hpp"

#include <numeric>
#include <string>

#include "base/error.hpp"

namespace tenken::tddft {

std::vector<Range> shares_of(std::int64_t count, const std::vector<std::int64_t>& weights, int ranks) {
  if (ranks > count) {
    refuse("there are " + std::to_string(ranks) + " ranks, but " + std::to_string(count) +
           " k-points to share; use fewer ranks or more --kpoints");
  }
  std::vector<Range> shares;
  if (weights.size() == 1) {
    for (int rank = 0; rank < ranks; ++rank) shares.push_back(share_of(count, rank, ranks));
    return shares;
  }
  if (static_cast<int>(weights.size()) != ranks) {
    refuse("there are " + std::to_string(weights.size()) + " --weights for " + std::to_string(ranks) +
           " ranks; state one for each rank, or leave them out");
  }
  const std::int64_t all = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::int64_t before = 0;
  for (const std::int64_t weight : weights) {
    const std::int64_t first = (2 * count * before + all) / (2 * all);  // to the nearest
    before += weight;
    const std::int64_t last = (2 * count * before + all) / (2 * all);
    if (last == first) {
      refuse("--weights leave rank " + std::to_string(shares.size()) + " none of the " + std::to_string(count) +
             " k-points; give it more, or leave it out");
    }
    shares.push_back({first, last});
  }
  return shares;
}

}  // namespace tenken::tddft
