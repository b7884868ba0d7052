#include "rank_tables.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace mpi_collectives {

namespace {
constexpr std::size_t longest_label = 128;
using Label = std::array<char, longest_label>;

Label own_label(const tenken::Check& check) {
  const std::string text =
      check.host().substr(0, 90) + "/" + std::to_string(check.rank()) + "/" + std::to_string(sched_getcpu());
  Label label{};
  text.copy(label.data(), longest_label - 1);
  return label;
}
}  // namespace

double median_of(std::vector<float> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return static_cast<double>(*middle);
}

tenken::Table gather_rows(const tenken::Check& check, const std::string& name, const std::string& unit,
                          const std::vector<std::string>& columns, const std::vector<double>& own) {
  tenken::Table table{name, unit, tenken::Better::lower, {}, columns, {}};
  const Label label = own_label(check);
  const auto all = check.rank() == 0 ? static_cast<std::size_t>(check.ranks()) : 0;
  std::vector<Label> labels(all);
  std::vector<double> figures(all * own.size());
  const auto n = static_cast<int>(own.size());
  MPI_Gather(label.data(), longest_label, MPI_CHAR, labels.data(), longest_label, MPI_CHAR, 0, check.comm());
  MPI_Gather(own.data(), n, MPI_DOUBLE, figures.data(), n, MPI_DOUBLE, 0, check.comm());
  for (const Label& one : labels) table.rows.emplace_back(one.data());
  for (const double figure : figures) {
    table.values.push_back(std::isfinite(figure) ? std::optional(figure) : std::nullopt);
  }
  return table;
}

}  // namespace mpi_collectives
