// What rank 0 does when it has gathered the samples of very many ranks, which are made up here:
//
//   record_speed RANKS SECTIONS REPETITIONS SEED HEAD TAIL RECORD
//
// HEAD and TAIL are files with the first and the last lines of the record. One rank is slower in all computation,
// another is interrupted now and then, as in scale.py. Printed, one JSON object: seconds from gathered arrays to the
// renamed file.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/clock.hpp"
#include "measure/many_ranks.hpp"

namespace {

using namespace tenken;

struct Size {
  int ranks;
  std::size_t sections;
  int repetitions;
  unsigned seed;
};

constexpr int on_a_node = 128;
constexpr double shortest_ns = 400'000, noise = 0.01;

std::string contents(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The page of a rank, ticks in ns.
void fill(const Size& size, int rank, Page& page) {
  std::mt19937_64 random(size.seed * 1'000'003ULL + static_cast<unsigned>(rank));
  std::normal_distribution<double> around(1, noise);
  const bool slow = rank == static_cast<int>(0.17 * size.ranks),
             interrupted = rank == static_cast<int>(0.53 * size.ranks);
  for (int repetition = 0; repetition < size.repetitions; ++repetition) {
    for (std::size_t section = 0; section < size.sections; ++section) {
      const bool computes = section % 5 != 4;
      double ns = shortest_ns * static_cast<double>(section + 1) * around(random);
      if (computes && slow) ns *= 1.12;
      if (computes && interrupted && repetition % 20 == 0) ns *= 3;
      page.row(Page::first_repetition_row + repetition)[section] = {
          1, static_cast<std::int64_t>(ns), 1'000'000, 2'000'000, 1'000'000, 0};
    }
  }
}

std::string line_of_rank(int rank) {
  RankFacts facts;
  facts.rank = rank;
  char host[16];
  std::snprintf(host, sizeof host, "n%04d", rank / on_a_node);
  facts.placement.host = host;
  facts.placement.cpus = {rank % on_a_node};
  facts.placement.numa = {rank % on_a_node / 16};
  facts.placement.place = rank;
  facts.placement.bound = true;
  facts.begin_processors = facts.end_processors = {rank % on_a_node};
  facts.trust.wall_ns = 1'000'000'000;
  facts.trust.cpu_ns = facts.trust.wall_ns;
  facts.trust.run_queue_wait_ns = rank % 7 * 1000;
  facts.trust.steal_ns = facts.trust.throttled_ns = facts.trust.migrations = 0;
  facts.frequency_hz.assign(24, 3e9 + rank % 100);
  facts.pages.emplace().push_back({0, 4096});
  return rank_line(facts);
}

// What the reductions and the gathering over ranks give.
ManyRanks gathered(const Size& size, Page& page) {
  ManyRanks all;
  all.ranks = size.ranks;
  all.sections = size.sections;
  all.rows = Page::first_repetition_row + size.repetitions;
  all.most_samples_of_a_rank = size.repetitions * static_cast<std::int64_t>(size.sections);
  all.repeated.assign(size.sections, 1);
  const std::size_t cells = static_cast<std::size_t>(all.rows) * all.sections;
  all.slowest.resize(cells);
  all.calls.resize(cells);
  all.work.resize(4 * cells);
  std::vector<double> ns(static_cast<std::size_t>(size.repetitions));
  for (int rank = 0; rank < size.ranks; ++rank) {
    fill(size, rank, page);
    for (std::size_t section = 0; section < size.sections; ++section) {
      RankFigures figures;
      for (int repetition = 0; repetition < size.repetitions; ++repetition) {
        const int row = Page::first_repetition_row + repetition;
        const std::size_t at = static_cast<std::size_t>(row) * all.sections + section;
        const Cell& cell = page.row(row)[section];
        ns[static_cast<std::size_t>(repetition)] = static_cast<double>(cell.ticks);
        if (cell.ticks > all.slowest[at].ns) all.slowest[at] = {static_cast<long>(cell.ticks), rank};
        all.calls[at] = std::max(all.calls[at], cell.calls);
        const std::int64_t work[] = {cell.flop, cell.bytes_read, cell.bytes_written, cell.messages};
        for (std::size_t i = 0; i < 4; ++i) all.work[4 * at + i] += work[i];
      }
      figures = figures_of(ns);
      figures.flop = 1e6 * size.repetitions;
      figures.bytes = 3e6 * size.repetitions;
      all.figures.push_back(figures);
    }
  }
  return all;
}

int run(char** words) {
  const Size size{std::atoi(words[1]), static_cast<std::size_t>(std::atoi(words[2])), std::atoi(words[3]),
                  static_cast<unsigned>(std::atoi(words[4]))};
  const std::string head = contents(words[5]), tail = contents(words[6]);
  std::vector<std::string> paths(size.sections);
  std::vector<LiveSection> sections(size.sections);
  for (std::size_t i = 0; i < size.sections; ++i) sections[i].path = paths[i] = "solve/part" + std::to_string(i);
  Page page("", 0, paths, 1.0);
  page.reserve(size.repetitions);
  const ManyRanks all = gathered(size, page);

  // What other ranks send: their own lines, made by them at the same time.
  const std::int64_t chosen_at = monotonic_ns();
  const std::vector<int> kept = standing_out(all);
  const std::int64_t choosing = monotonic_ns() - chosen_at;
  std::string theirs;
  for (int rank = 0; rank < size.ranks; ++rank) {
    theirs += line_of_rank(rank);
    if (!std::binary_search(kept.begin(), kept.end(), rank)) continue;
    fill(size, rank, page);
    theirs += series_lines(rank, page, sections);
  }

  const std::int64_t start = monotonic_ns();
  write_record(MPI_COMM_SELF, words[7], head, theirs, summary_lines(all) + tail);
  const double seconds = static_cast<double>(monotonic_ns() - start + choosing) * 1e-9;
  std::printf("{\"seconds\": %.3f, \"kept\": %zu}\n", seconds, kept.size());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fputs("usage: record_speed RANKS SECTIONS REPETITIONS SEED HEAD TAIL RECORD\n", stderr);
    return 3;
  }
  MPI_Init(&argc, &argv);
  int code = 4;
  try {
    code = run(argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "record_speed: %s\n", error.what());
  }
  MPI_Finalize();
  return code;
}
