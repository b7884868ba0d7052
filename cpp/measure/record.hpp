// Writes record.jsonl (docs/files.md): every rank serialises its own lines, rank 0 writes them in order.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "base/table.hpp"
#include "measure/memory.hpp"
#include "measure/page.hpp"
#include "measure/placement.hpp"
#include "measure/trust.hpp"

namespace tenken {

// A section as it is in this launch: repeated ones once for each value of their list.
struct LiveSection {
  std::string path;
  const SectionSpec* spec;
  bool repeated = false;
  std::int64_t at = 0;
};

// The device that a rank uses.
struct UsedCard {
  std::string id;  // alike for two ranks of a node only where they use the same device
  std::string name;
  int visible = 1;  // devices that the rank could have used
  int numa = -1;    // NUMA node that it is attached to; -1: not reported
};

struct RankFacts {
  int rank = 0;
  Placement placement;
  std::vector<int> begin_processors;
  std::vector<int> end_processors;
  Trust trust;
  std::vector<double> frequency_hz;
  std::vector<double> additions_per_cycle;  // beside each of them: what another hardware thread leaves of the core
  std::vector<double> vector_frequency_hz;  // beside each of them, under the widest vectors; empty where not sampled
  std::optional<std::vector<PagesOfNode>> pages;  // sampled at the end of the timed part, by memory node
  std::optional<UsedCard> card;                   // none where the rank works on processors alone
};

std::string rank_line(const RankFacts& facts);

// One line for each section that was entered, newline-ended.
std::string series_lines(int rank, const Page& page, const std::vector<LiveSection>& sections);

// Collective: `head` (header line) and `tail` (value and validity lines) are rank 0's. Temporary file, then renamed. On
// failure every rank throws UserError.
// Refuses a path at which something else than a regular file lies: the record would take the place of a device or a
// link.
void require_regular(const std::string& path, const char* option);

void write_record(MPI_Comm comm, const std::string& path, const std::string& head, const std::string& mine,
                  const std::string& tail);

}  // namespace tenken
