#include "measure/rank_table.hpp"

#include <array>
#include <utility>

namespace tenken {

namespace {
constexpr std::size_t longest_host = 256;
}

void table_of_ranks(Check& check, const char* name, std::vector<std::string> columns, std::size_t counted,
                    std::span<const double> mine) {
  const std::size_t all = check.rank() == 0 ? static_cast<std::size_t>(check.ranks()) : 0;
  std::array<char, longest_host> host{};
  check.host().copy(host.data(), longest_host - 1);
  std::vector<char> hosts(all * longest_host);
  std::vector<double> numbers(all * mine.size());
  const auto count = static_cast<int>(mine.size());
  MPI_Gather(host.data(), longest_host, MPI_CHAR, hosts.data(), longest_host, MPI_CHAR, 0, check.comm());
  MPI_Gather(mine.data(), count, MPI_DOUBLE, numbers.data(), count, MPI_DOUBLE, 0, check.comm());
  Table table{name, "1", Better::lower, {}, std::move(columns), {}};
  for (std::size_t i = 0; i < all; ++i) {
    const auto row = std::span(numbers).subspan(i * mine.size(), mine.size());
    if (row[counted] <= 0) continue;
    table.rows.push_back(std::string(&hosts[i * longest_host]) + "/" + std::to_string(i));
    table.values.insert(table.values.end(), row.begin(), row.end());
  }
  if (!table.rows.empty()) check.table(table);
}

}  // namespace tenken
