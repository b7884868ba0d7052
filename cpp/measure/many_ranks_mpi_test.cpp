#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "measure/many_ranks.hpp"

using namespace tenken;

namespace {

constexpr int repetitions = 7;
const std::vector<std::string> paths = {"a", "b", "once", "never"};

std::vector<LiveSection> sections() {
  std::vector<LiveSection> live;
  for (const std::string& path : paths) live.push_back({path, nullptr});
  return live;
}

// A rank takes longer the higher its number is, but in repetition 3 the first is the slowest.
std::int64_t ns_of(int rank, int repetition, int section) {
  return repetition == 3 ? 5000 - rank : 1000 * (section + 1) + 10 * rank + repetition;
}

void fill(Page& page, int rank) {
  page.reserve(repetitions);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    Cell* row = page.row(Page::first_repetition_row + repetition);
    row[0] = {1, ns_of(rank, repetition, 0), 100, 8, 4, 1};
    row[1] = {2 + rank, ns_of(rank, repetition, 1), 0, 16, 0, 0};
  }
  page.row(Page::once_row)[1] = {1, 99, 0, 0, 0, 0};  // left out, because the section is repeated
  page.row(Page::once_row)[2] = {1, 77 + rank, 0, 0, 0, 0};
  page.row(Page::warm_up_row)[0] = {1, 1'000'000, 0, 0, 0, 0};
}

struct World {
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
  }
  int me = 0, all = 1;
};

std::string list(int count, auto&& of) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += (i > 0 ? "," : "") + std::to_string(of(i));
  return text + "]";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("few samples are all kept, and no summary is made") {
  const World world;
  Page page("", world.me, paths, 1.0);
  fill(page, world.me);
  const Kept kept = kept_samples(MPI_COMM_WORLD, page, sections(), (2 * repetitions + 2) * world.all);
  CHECK(kept.all);
  CHECK(kept.summaries.empty());
  CHECK(kept.series == series_lines(world.me, page, sections()));
}

TEST_CASE(
    "of too many each repetition keeps its maximum and the rank of it, each rank its figures, the slowest its "
    "samples") {
  const World world;
  Page page("", world.me, paths, 1.0);
  fill(page, world.me);
  const Kept kept = kept_samples(MPI_COMM_WORLD, page, sections(), (2 * repetitions + 2) * world.all - 1, 1);
  CHECK(!kept.all);
  const int slowest = world.all - 1;  // by its median, in each section
  CHECK(kept.series == (world.me == slowest ? series_lines(world.me, page, sections()) : ""));
  if (world.me != 0) {
    CHECK(kept.summaries.empty());
    return;
  }
  CHECK(std::count(kept.summaries.begin(), kept.summaries.end(), '\n') == 3);
  const std::string first = kept.summaries.substr(0, kept.summaries.find('\n'));
  CHECK(holds(first, R"({"type":"summary","section":0,"repetition":[0,1,2,3,4,5,6],"calls":[1,1,1,1,1,1,1],"ns":)" +
                         list(repetitions, [&](int r) { return ns_of(r == 3 ? 0 : slowest, r, 0); }) +
                         R"(,"slowest":)" + list(repetitions, [&](int r) { return r == 3 ? 0 : slowest; }) +
                         R"(,"work":{"flop":)" + std::to_string(100 * world.all) + R"(,"bytes_read":)" +
                         std::to_string(8 * world.all)));
  CHECK(holds(first, R"("rank":)" + list(world.all, [](int rank) { return rank; }) + R"(,"count":)" +
                         list(world.all, [](int) { return repetitions; }) + R"(,"sum_ns":)" +
                         list(world.all, [](int rank) {
                           std::int64_t sum = 0;
                           for (int r = 0; r < repetitions; ++r) sum += ns_of(rank, r, 0);
                           return sum;
                         })));
  CHECK(holds(first, R"("median_ns":)" + list(world.all, [](int rank) { return 1004 + 10 * rank; })));
  CHECK(holds(first, R"("flop":)" + list(world.all, [](int) { return 100 * repetitions; }) + R"(,"bytes":)" +
                         list(world.all, [](int) { return 12 * repetitions; })));
  CHECK(holds(kept.summaries, R"("section":1,"repetition":[0,1,2,3,4,5,6],"calls":)" +
                                  list(repetitions, [&](int) { return 2 + slowest; })));
  CHECK(holds(kept.summaries,
              R"("section":2,"repetition":[-1],"calls":[1],"ns":[)" + std::to_string(77 + slowest) + "]"));
}
