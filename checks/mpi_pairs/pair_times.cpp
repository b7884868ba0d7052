#include "pair_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace mpi_pairs {

namespace {

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Of each player: the node where there is one player a node, else the rank. Collective.
std::vector<std::string> labels_of(MPI_Comm comm, const Players& players, const std::string& host, int ranks) {
  std::vector<std::string> labels;
  std::array<char, 256> own{};
  host.copy(own.data(), own.size() - 1);
  std::vector<char> names(own.size() * static_cast<std::size_t>(ranks));
  MPI_Gather(own.data(), static_cast<int>(own.size()), MPI_CHAR, names.data(), static_cast<int>(own.size()), MPI_CHAR,
             0, comm);
  for (const int rank : players.ranks) {
    const char* name = names.data() + own.size() * static_cast<std::size_t>(rank);
    labels.push_back(players.nodes ? std::string(name) : "rank " + std::to_string(rank));
  }
  return labels;
}

}  // namespace

PairTimes::PairTimes(const Players& players, int meetings) : players_(players) {
  if (players.me == nobody || players.size() > largest_matrix) return;
  ns_.resize(static_cast<std::size_t>(players.size()));
  for (auto& one : ns_) one.reserve(static_cast<std::size_t>(meetings));  // nothing is allocated between samples
}

void PairTimes::add(int partner, std::int64_t ns, int messages) {
  if (ns_.empty()) return;
  const auto place = std::lower_bound(players_.ranks.begin(), players_.ranks.end(), partner) - players_.ranks.begin();
  ns_[static_cast<std::size_t>(place)].push_back(static_cast<double>(ns) / messages);
}

tenken::Table PairTimes::table(MPI_Comm comm, const std::string& host, const std::string& name) const {
  const auto n = static_cast<std::size_t>(players_.size());
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const std::vector<std::string> labels = labels_of(comm, players_, host, ranks);
  std::vector<double> own(n, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t other = 0; other < ns_.size(); ++other) {
    own[other] = median(ns_[other]) / 1000;
  }
  std::vector<double> all(rank == 0 ? n * static_cast<std::size_t>(ranks) : 0);
  MPI_Gather(own.data(), static_cast<int>(n), MPI_DOUBLE, all.data(), static_cast<int>(n), MPI_DOUBLE, 0, comm);
  tenken::Table table{name, "us", tenken::Better::lower, labels, labels, {}};
  if (rank != 0) return table;
  for (const int player : players_.ranks) {
    for (std::size_t other = 0; other < n; ++other) {
      const double cell = all[static_cast<std::size_t>(player) * n + other];
      table.values.push_back(std::isnan(cell) ? std::nullopt : std::optional(cell));
    }
  }
  return table;
}

}  // namespace mpi_pairs
