// Lines of a record and the summary, word for word.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "measure/record.hpp"
#include "measure/summary.hpp"

using namespace tenken;

namespace {

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  return text.find(part) != std::string::npos;
}

RankFacts facts() {
  RankFacts rank;
  rank.rank = 3;
  rank.placement.host = "n042";
  rank.placement.place = 5;
  rank.placement.cpus = {8, 9};
  rank.placement.numa = {1, 2};
  rank.placement.bound = true;
  rank.begin_processors = {8, 9};
  rank.end_processors = {8, 11};
  rank.trust = {.wall_ns = 1000,
                .cpu_ns = 2,
                .run_queue_wait_ns = 3,
                .steal_ns = 4,
                .throttled_ns = 5,
                .migrations = 6,
                .involuntary_switches = 7,
                .major_faults = 8};
  rank.frequency_hz = {2512345678.4, 2400000001.6};
  return rank;
}

}  // namespace

TEST_CASE("the line of a rank") {
  RankFacts rank = facts();
  const std::string head =
      R"({"type":"rank","rank":3,"host":"n042","cpus":[8,9],"numa":[1,2],)"
      R"("threads":[{"thread":0,"cpu_begin":8,"cpu_end":8},{"thread":1,"cpu_begin":9,"cpu_end":11}],)"
      R"("place":5,"bound":true,"pages":)";
  const std::string trust =
      R"(,"trust":{"wall_ns":1000,"cpu_ns":2,"run_queue_wait_ns":3,"steal_ns":4,"throttled_ns":5,)"
      R"("migrations":6,"involuntary_switches":7,"major_faults":8,)"
      R"("frequency_hz":[2512345678,2400000002])";
  CHECK(rank_line(rank) == head + "null" + trust + "}}\n");
  rank.pages = std::vector<PagesOfNode>{{0, 10}, {2, 30}};
  rank.additions_per_cycle = {3.8624, 2.0};
  rank.vector_frequency_hz = {2012345678.5};
  CHECK(rank_line(rank) == head + R"([{"node":0,"pages":10},{"node":2,"pages":30}])" + trust +
                               R"(,"additions_per_cycle":[3.862,2],"vector_frequency_hz":[2012345679]}})" + "\n");
  rank.card = UsedCard{"GPU-0a", "NVIDIA X", 2, 1};
  holds(rank_line(rank), R"("pages":[{"node":0,"pages":10},{"node":2,"pages":30}],)"
                         R"("card":{"id":"GPU-0a","name":"NVIDIA X","visible":2,"numa":1},"trust":{)");
  rank.card->numa = -1;
  holds(rank_line(rank), R"("visible":2,"numa":null},"trust":{)");
  rank.trust = {};
  holds(rank_line(rank), R"("trust":{"wall_ns":0,"cpu_ns":null,"run_queue_wait_ns":null,"steal_ns":null,)"
                         R"("throttled_ns":null,"migrations":null,"involuntary_switches":null,"major_faults":null)");
}

TEST_CASE("series have what was timed once a launch, and never the warm-up") {
  const std::vector<std::string> paths = {"a", "b", "c"};
  const std::vector<LiveSection> live = {{"a", nullptr}, {"b", nullptr}, {"c", nullptr}};
  Page page("", 1, paths, 0.5);
  page.reserve(3);
  page.row(Page::once_row)[0] = {1, 10, 0, 0, 0, 0};
  page.row(Page::warm_up_row)[0] = {9, 9, 9, 9, 9, 9};
  page.row(Page::warm_up_row)[1] = {9, 9, 9, 9, 9, 9};
  page.row(Page::first_repetition_row + 2)[0] = {2, 41, 0, 0, 0, 0};
  page.row(Page::first_repetition_row + 1)[2] = {1, 7, 1, 2, 3, 4};
  CHECK(series_lines(1, page, live) ==
        R"({"type":"series","rank":1,"section":0,"repetition":[-1,2],"calls":[1,2],"ns":[5,21],)"
        R"("work":{"flop":0,"bytes_read":0,"bytes_written":0,"messages":0}})"
        "\n"
        R"({"type":"series","rank":1,"section":2,"repetition":[1],"calls":[1],"ns":[4],)"
        R"("work":{"flop":1,"bytes_read":2,"bytes_written":3,"messages":4}})"
        "\n");
  for (const auto field : {&Cell::flop, &Cell::bytes_read, &Cell::bytes_written, &Cell::messages}) {
    page.row(Page::first_repetition_row + 2)[0].*field = 1;  // any difference writes the work of each repetition
    holds(series_lines(1, page, live), R"("work":[{"flop":0,"bytes_read":0,"bytes_written":0,"messages":0},{)");
    page.row(Page::first_repetition_row + 2)[0].*field = 0;
  }
}

TEST_CASE("the summary tells the middle repetition of each section") {
  const std::vector<std::string> paths = {"a", "b", "c", "d"};
  std::vector<LiveSection> live;
  for (const auto& path : paths) live.push_back({path, nullptr});
  Page page("", 0, paths, 2.0);
  page.reserve(3);
  page.row(Page::first_repetition_row)[0] = {4, 3000, 12000, 6000, 3000, 0};
  page.row(Page::first_repetition_row + 1)[0] = {4, 1000, 1, 1, 1, 0};
  page.row(Page::first_repetition_row + 2)[0] = {4, 9000, 1, 1, 1, 0};
  page.row(Page::once_row)[0] = {9, 1, 1, 1, 1, 1};
  page.row(Page::once_row)[1] = {1, 500, 0, 0, 0, 0};
  page.row(Page::warm_up_row)[3] = {1, 500, 0, 0, 0, 0};
  const std::string text = summary(page, live);
  holds(text,
        "a                                        4       6.000     2.000     1.500\n"
        "b                                        1       1.000     0.000     0.000\n");
  CHECK(text.starts_with("rank 0, median over repetitions"));
}
