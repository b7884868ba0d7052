// Rounds in which every participant meets every other once: a 1-factorisation of the complete graph by the circle
// method (E. Lucas, Recreations mathematiques 2 (1883) 161). The judge reads records with the same functions
// (python/tenken/stats/tournament.py); rounds.json holds what both must give.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <vector>

#include "base/random.hpp"

namespace mpi_pairs {

constexpr int nobody = -1;
constexpr int all_pairs_up_to = 256;  // participants; above, 2 log2 n rounds are drawn

// The rounds that n participants play: all, or above 256 those 2 ceil(log2 n) whose mixed number is smallest.
inline std::vector<int> rounds_of(int n) {
  std::vector<int> rounds(n > 1 ? static_cast<std::size_t>(n + n % 2 - 1) : 0);
  std::iota(rounds.begin(), rounds.end(), 0);
  if (n <= all_pairs_up_to) return rounds;
  const auto mixed = [](int round) { return tenken::mix64(static_cast<std::uint64_t>(round)); };
  std::sort(rounds.begin(), rounds.end(), [&](int a, int b) { return mixed(a) < mixed(b); });
  rounds.resize(2 * static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(n - 1))));
  return rounds;
}

// Whom `player` meets in a round, nobody with odd n for the one who sits out. Of m participants (n, made even) i and
// j < m - 1 meet where i + j = round modulo m - 1; who would meet himself meets m - 1.
constexpr int partner_of(int player, int round, int n) {
  const int m = n + n % 2;
  const int ring = m - 1;
  int other = 0;
  if (player == ring) {
    other = static_cast<int>(static_cast<long long>(round) * (m / 2) % ring);  // 2 j = round: 1/2 is m/2 modulo m - 1
  } else {
    other = (round - player % ring + ring) % ring;
    if (other == player) other = ring;
  }
  return other < n ? other : nobody;
}

}  // namespace mpi_pairs
