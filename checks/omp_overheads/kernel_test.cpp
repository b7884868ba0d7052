#include "kernel.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "last_to_come.hpp"
#include "this_check.hpp"
#include "trace.hpp"
#include "waiting.hpp"

namespace omp_overheads {
namespace {

// What a construct must do, by a plain loop over the threads it stands for: the twin of all of them.
void by_turns(Team& team, Share share, int n) {
  for (int i = 0; i < n; ++i) {
    if (share == Share::one) ++team.count(i % team.threads());
    if (share == Share::one) continue;
    for (int thread = 0; thread < team.threads(); ++thread) {
      team.count(thread) += share == Share::loop ? iterations : 1;
      if (share == Share::passage || share == Share::sum) ++team.shared;
    }
  }
}

TEST_CASE("every construct leaves behind what turns of single threads would") {
  for (const int threads : {1, 2, 3}) {
    for (const Construct<Count>& construct : constructs<Count>()) {
      CAPTURE(construct.name);
      Team team(threads);
      construct.run(team, 7, Count{team});
      CHECK(team.wrong_counts(construct.share, 7) == 0);
      CHECK(team.wrong_counts(construct.share, 8) > 0);
      const std::int64_t shared = team.shared;
      team.reset();
      by_turns(team, construct.share, 7);
      CHECK(team.wrong_counts(construct.share, 7) == 0);
      CHECK(team.shared == (construct.name == "atomic" || construct.name == "critical" ? 7 * threads : shared));
    }
  }
}

TEST_CASE("a passage that is lost, comes twice, or out of order is counted") {
  Team team(2);
  for (const Construct<Count>& construct : constructs<Count>()) {
    team.reset();
    construct.run(team, 5, Count{team});
    ++team.count(1);
    CHECK(team.wrong_counts(construct.share, 5) > 0);
    if (construct.share != Share::passage && construct.share != Share::sum) continue;
    --team.count(1);
    CHECK(team.wrong_counts(construct.share, 5) == 0);
    --team.shared;
    CHECK(team.wrong_counts(construct.share, 5) == 1);
  }
}

TEST_CASE("threads pass one by one, however many times: without the construct additions are lost") {
  for (const Construct<Count>& construct : constructs<Count>()) {
    if (construct.share != Share::passage) continue;
    CAPTURE(construct.name);
    Team team(2);
    construct.run(team, 20000, Count{team});
    CHECK(team.wrong_counts(construct.share, 20000) == 0);
  }
}

TEST_CASE("nobody leaves a barrier before all are there") {
  CHECK(barrier_violations(1, 10) == 0);
  CHECK(barrier_violations(3, 10) == 0);
}

TEST_CASE("a name for each section, in their order") {
  const auto& all = constructs<Count>();
  REQUIRE(all.size() == this_check::table.sections.size());
  for (std::size_t c = 0; c < all.size(); ++c) {
    CHECK(all[c].name == this_check::table.sections[c].path);
    CHECK(constructs<Traced>()[c].name == all[c].name);
  }
}

TEST_CASE("the trace of a thread that is held up is longer by what holds it, on that thread alone") {
  constexpr std::int64_t held = 1000000;
  for (std::size_t c = 0; c < constructs<Traced>().size(); ++c) {
    const Construct<Traced>& construct = constructs<Traced>()[c];
    Team team(3);
    Trace trace(3, 1);
    construct.run(team, traced_instances, Traced{team, trace, 1, construct.traced ? held : 0});
    CHECK(team.wrong_counts(construct.share, traced_instances) == 0);
    if (!construct.traced) continue;
    trace.add(c);
    const std::vector<double> medians = trace.medians(c);
    REQUIRE(medians.size() == 3);
    CAPTURE(construct.name);
    CHECK(medians[1] >= held);  // ticks that it must wait: no assertion on how fast the others are
    CHECK(std::isnan(trace.medians(0)[0]));
  }
}

TEST_CASE("the thread that is delayed at the entry of a barrier takes longer than others where it comes last") {
  constexpr std::int64_t delay = 100000000;  // ticks: more than other load takes between two stamps
  LastToCome last(3, 1, 1.0);
  for (const double never : last.medians()) CHECK(std::isnan(never));
  last.pass(false, 1, 1);
  for (const double untimed : last.medians()) CHECK(std::isnan(untimed));
  last.pass(true, 1, delay);
  const std::vector<double> found = last.medians();
  REQUIRE(found.size() == 3);
  CHECK(found[1] >= delay);  // the others wait for it as well: what they take is not asserted
  constexpr int many = turns_of_a_pass + 2;
  LastToCome team(many, 1, 1.0);
  const auto timed = [&] {
    int threads = 0;
    for (const double one : team.medians()) threads += std::isfinite(one) ? 1 : 0;
    return threads;
  };
  for (int pass = 0; pass < 3; ++pass) team.pass(true);
  CHECK(timed() == many - 6);  // each pass goes on where the last one ended
  team.pass(true);
  CHECK(timed() == many);
  LastToCome alone(1, 1, 1.0);
  alone.pass(true);
  CHECK(std::isnan(alone.medians()[0]));
}

TEST_CASE("how to wait is read from the command line") {
  const char* const words[] = {"program", "--threads", "2", "--waiting", "passive"};
  CHECK(waiting_asked(5, words) == "passive");
  CHECK(waiting_asked(4, words) == "");
  const char* const joined[] = {"program", "--waiting=active"};
  CHECK(waiting_asked(2, joined) == "active");
  const char* const unknown[] = {"program", "--waiting", "asleep"};
  CHECK(waiting_asked(3, unknown) == "");
}

}  // namespace
}  // namespace omp_overheads
