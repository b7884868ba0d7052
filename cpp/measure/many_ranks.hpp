// What a record keeps where the samples of all ranks are too many: for each repetition the maximum over ranks and its
// rank, figures of each rank, and all samples of the ranks that stand out. `store/samples.py` is the twin of this.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "measure/page.hpp"
#include "measure/record.hpp"

namespace tenken {

constexpr std::int64_t most_samples = 1 << 21;  // of all ranks, sections and repetitions, that are written as they are
constexpr std::int64_t most_kept = 1 << 19;     // of the ranks that stand out, where there are more

// Of the samples of one rank in one section, in ns. count 0: it never entered it.
struct RankFigures {
  double count = 0, sum = 0, median = 0, mad = 0, least = 0;
  double low = 0, high = 0;  // 10 % and 90 % quantiles (type 7 of Hyndman and Fan)
  double outlying = 0;       // what outliers are longer than the median, in all (stats.bounds.visible_excess)
  double memory = 0;         // lag-1 autocorrelation of samples clipped to 3 sigma
  double flop = 0, bytes = 0;

  double loss() const { return count * median > 0 ? sum / (count * median) - 1 : 0; }
};

// `ns` in the order of time, not empty. Work is left 0.
RankFigures figures_of(std::span<const double> ns);

// The maximum over ranks and its rank, in the layout of MPI_LONG_INT; ns -1 where nobody entered the section.
struct SlowestRank {
  long ns = -1;
  int rank = 0;
};

// Of all ranks of a launch, as rank 0 has gathered it. Sections vary fastest, then rows (of a page) or ranks.
struct ManyRanks {
  int ranks = 0;
  int rows = 0;
  std::size_t sections = 0;
  std::vector<RankFigures> figures;    // ranks x sections
  std::vector<SlowestRank> slowest;    // rows x sections
  std::vector<std::int64_t> calls;     // rows x sections: the most of any rank
  std::vector<std::int64_t> work;      // rows x sections x 4: flop, bytes read, bytes written, messages of all ranks
  std::vector<std::int32_t> repeated;  // sections: 1 where some rank has repetitions; else it is timed once per launch
  std::int64_t most_samples_of_a_rank = 0;
};

// Ascending: the slowest rank of each section, then those far above the others in the median, the loss or the jitter of
// some section, farthest first, as long as they have `most` samples together (one rank at least).
std::vector<int> standing_out(const ManyRanks& all, std::int64_t most = most_kept);

// A line for each section that was entered, newline-ended.
std::string summary_lines(const ManyRanks& all);

struct Kept {
  std::string series;     // lines of this rank; empty where its samples are not kept
  std::string summaries;  // lines, on rank 0; empty where all samples of all ranks are kept
  bool all = true;        // the same on every rank
};

// Collective. What of the samples goes into the record.
Kept kept_samples(MPI_Comm comm, const Page& page, const std::vector<LiveSection>& sections,
                  std::int64_t most = most_samples, std::int64_t most_of_standing_out = most_kept);

}  // namespace tenken
