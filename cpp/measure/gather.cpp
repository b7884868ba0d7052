// The collective half of many_ranks.hpp: every rank makes its own figures, what concerns all is reduced over them.
#include <algorithm>
#include <cmath>

#include "measure/many_ranks.hpp"

namespace tenken {

namespace {

std::int64_t nanoseconds(const Page& page, const Cell& cell) {
  return std::llround(static_cast<double>(cell.ticks) * page.header().ns_per_tick);
}

std::int64_t own_samples(const Page& page, std::size_t sections) {
  std::int64_t samples = 0;
  for (int row = 0; row < page.header().rows; ++row) {
    if (row == Page::warm_up_row) continue;
    samples += std::count_if(page.row(row), page.row(row) + sections, [](const Cell& cell) { return cell.calls > 0; });
  }
  return samples;
}

// The cells of a section that count, once it is known whether any rank repeats it.
std::vector<const Cell*> counting(const Page& page, std::size_t section, bool repeated) {
  std::vector<const Cell*> cells;
  for (int row = repeated ? Page::first_repetition_row : Page::once_row; row < page.header().rows; ++row) {
    if (page.row(row)[section].calls > 0) cells.push_back(page.row(row) + section);
    if (!repeated) break;
  }
  return cells;
}

std::vector<RankFigures> own_figures(const Page& page, const ManyRanks& all) {
  std::vector<RankFigures> own(all.sections);
  for (std::size_t section = 0; section < all.sections; ++section) {
    std::vector<double> ns;
    double flop = 0, bytes = 0;
    for (const Cell* cell : counting(page, section, all.repeated[section] != 0)) {
      ns.push_back(static_cast<double>(nanoseconds(page, *cell)));
      flop += static_cast<double>(cell->flop);
      bytes += static_cast<double>(cell->bytes_read + cell->bytes_written);
    }
    if (ns.empty()) continue;
    own[section] = figures_of(ns);
    own[section].flop = flop;
    own[section].bytes = bytes;
  }
  return own;
}

// What of each row is reduced over ranks.
void reduce_rows(MPI_Comm comm, int rank, const Page& page, ManyRanks& all) {
  const std::size_t cells = static_cast<std::size_t>(all.rows) * all.sections;
  std::vector<SlowestRank> slowest(cells);
  std::vector<std::int64_t> calls(cells), work(4 * cells);
  for (int row = 0; row < page.header().rows; ++row) {
    if (row == Page::warm_up_row) continue;
    for (std::size_t section = 0; section < all.sections; ++section) {
      const Cell& cell = page.row(row)[section];
      const std::size_t at = static_cast<std::size_t>(row) * all.sections + section;
      if (cell.calls <= 0) continue;
      slowest[at] = {static_cast<long>(nanoseconds(page, cell)), rank};
      calls[at] = cell.calls;
      const std::int64_t stated[] = {cell.flop, cell.bytes_read, cell.bytes_written, cell.messages};
      std::copy_n(stated, 4, work.data() + 4 * at);
    }
  }
  all.slowest.resize(cells);
  all.calls.resize(cells);
  all.work.resize(4 * cells);
  MPI_Reduce(slowest.data(), all.slowest.data(), static_cast<int>(cells), MPI_LONG_INT, MPI_MAXLOC, 0, comm);
  MPI_Reduce(calls.data(), all.calls.data(), static_cast<int>(cells), MPI_INT64_T, MPI_MAX, 0, comm);
  MPI_Reduce(work.data(), all.work.data(), static_cast<int>(4 * cells), MPI_INT64_T, MPI_SUM, 0, comm);
}

}  // namespace

Kept kept_samples(MPI_Comm comm, const Page& page, const std::vector<LiveSection>& sections, std::int64_t most,
                  std::int64_t most_of_standing_out) {
  int rank = 0;
  ManyRanks all;
  all.sections = sections.size();
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &all.ranks);
  const std::int64_t own = own_samples(page, all.sections);
  std::int64_t together = 0;
  MPI_Allreduce(&own, &together, 1, MPI_INT64_T, MPI_SUM, comm);
  if (together <= most) return {series_lines(rank, page, sections), "", true};

  MPI_Allreduce(&own, &all.most_samples_of_a_rank, 1, MPI_INT64_T, MPI_MAX, comm);
  MPI_Allreduce(&page.header().rows, &all.rows, 1, MPI_INT32_T, MPI_MAX, comm);
  all.repeated.resize(all.sections);
  for (std::size_t section = 0; section < all.sections; ++section)
    all.repeated[section] = counting(page, section, true).empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, all.repeated.data(), static_cast<int>(all.sections), MPI_INT32_T, MPI_MAX, comm);

  reduce_rows(comm, rank, page, all);
  const std::vector<RankFigures> figures = own_figures(page, all);
  const int doubles = static_cast<int>(figures.size() * sizeof(RankFigures) / sizeof(double));
  if (rank == 0) all.figures.resize(static_cast<std::size_t>(all.ranks) * all.sections);
  MPI_Gather(figures.data(), doubles, MPI_DOUBLE, all.figures.data(), doubles, MPI_DOUBLE, 0, comm);

  std::vector<int> kept;
  if (rank == 0) kept = standing_out(all, most_of_standing_out);
  int count = static_cast<int>(kept.size());
  MPI_Bcast(&count, 1, MPI_INT, 0, comm);
  kept.resize(static_cast<std::size_t>(count));
  MPI_Bcast(kept.data(), count, MPI_INT, 0, comm);
  const bool mine = std::binary_search(kept.begin(), kept.end(), rank);
  return {mine ? series_lines(rank, page, sections) : "", rank == 0 ? summary_lines(all) : "", false};
}

}  // namespace tenken
