#include "thread_times.hpp"

#include <omp.h>
#include <sched.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace omp_overheads {

namespace {
constexpr std::size_t longest_label = 128;
using Label = std::array<char, longest_label>;

std::vector<Label> own_labels(const tenken::Check& check, int threads) {
  std::vector<Label> labels(static_cast<std::size_t>(threads));
#pragma omp parallel num_threads(threads)
  {
    const int me = omp_get_thread_num();
    const std::string text = check.host().substr(0, 80) + "/" + std::to_string(check.rank()) + "/" +
                             std::to_string(me) + "/" + std::to_string(sched_getcpu());
    text.copy(labels[static_cast<std::size_t>(me)].data(), longest_label - 1);
  }
  return labels;
}
}  // namespace

tenken::Table gather_thread_times(const tenken::Check& check, const Trace& trace, const LastToCome& last,
                                  double ns_per_tick) {
  tenken::Table table{"thread_times", "us", tenken::Better::lower, {}, {}, {}};
  std::vector<std::vector<double>> columns;
  for (std::size_t c = 0; c < constructs<Traced>().size(); ++c) {
    if (!constructs<Traced>()[c].traced) continue;
    table.columns.emplace_back(constructs<Traced>()[c].name);
    columns.push_back(trace.medians(c));
  }
  table.columns.emplace_back(entry_of_barrier);
  columns.push_back(last.medians());
  const std::size_t threads = columns.front().size();
  std::vector<double> own;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    for (const auto& column : columns) own.push_back(column[thread] * ns_per_tick / 1000);
  }
  const std::vector<Label> labels = own_labels(check, static_cast<int>(threads));
  const auto all = check.rank() == 0 ? static_cast<std::size_t>(check.ranks()) : 0;
  std::vector<double> figures(own.size() * all);
  std::vector<Label> names(labels.size() * all);
  const int bytes = static_cast<int>(labels.size() * longest_label);
  MPI_Gather(own.data(), static_cast<int>(own.size()), MPI_DOUBLE, figures.data(), static_cast<int>(own.size()),
             MPI_DOUBLE, 0, check.comm());
  MPI_Gather(labels.data(), bytes, MPI_CHAR, names.data(), bytes, MPI_CHAR, 0, check.comm());
  for (const Label& name : names) table.rows.emplace_back(name.data());
  for (const double figure : figures)
    table.values.push_back(std::isfinite(figure) ? std::optional(figure) : std::nullopt);
  return table;
}

}  // namespace omp_overheads
