// Runs on 4 ranks.
// A check as it is run: passes, proofs, counters and the record that is left.
#include <doctest/doctest.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "measure/clock.hpp"
#include "measure/frequency.hpp"
#include "measure/made_check_test.hpp"

using namespace tenken;
using namespace tenken::testing;

namespace {
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("reductions: any NaN makes the result NaN, whichever rank has it") {
  Made made;
  const Check& check = *made.check;
  const double mine = check.rank();
  CHECK(check.max_over_ranks(mine) == check.ranks() - 1);
  CHECK(check.max_over_ranks(-1 - mine) == -1);
  CHECK(check.sum_over_ranks(1) == check.ranks());
  CHECK(check.max_over_ranks(check.rank() == 0 ? HUGE_VAL : 0) == HUGE_VAL);
  for (int sick = 0; sick < check.ranks(); ++sick) {
    const double one = check.rank() == sick ? nan_value : 5;
    CHECK(std::isnan(check.max_over_ranks(one)));
    CHECK(std::isnan(check.sum_over_ranks(one)));
  }
  CHECK(std::isnan(check.max_over_ranks(nan_value)));
}

TEST_CASE("a check knows its ranks and what it was given") {
  Made made({"--repetitions", "7", "--threads", "2", "--fault", "delay"});
  const Check& check = *made.check;
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(check.ranks() == ranks);
  CHECK(check.node_ranks() == ranks);
  CHECK(check.threads() == 2);
  CHECK(check.variant() == "plain");
  CHECK(check.fault("delay"));
  CHECK(!check.fault("none"));
  CHECK(check.planned(3) == 7);
  CHECK(Made().check->planned(3) == 3);
  CHECK(Made({"--repetitions", "1"}).check->planned(3) == 1);
}

TEST_CASE("whoever watches sees a launch advance: by reductions, sections, repetitions and states, on every rank") {
  Made made({"--repetitions", "2"});
  Check& check = *made.check;
  CHECK(made.page().steps == 0);  // what a section costs was measured before
  check.max_over_ranks(0);
  check.sum_over_ranks(0);
  CHECK(made.page().steps == 2);
  std::int64_t before = 0;
  check.repeat([&](int) {
    const std::int64_t now = made.page().steps;
    CHECK(now > before);
    { Section s{work}; }
    CHECK(made.page().steps == now + 1);
    before = now + 1;
  });
  CHECK(made.page().steps == before + 1);  // the repetition
  advanced();
  CHECK(made.page().steps == before + 2);
  check.prove(proof, 1e-12);
  made.finished();
  CHECK(made.page().steps == before + 5);  // gathers, writes, is done
}

TEST_CASE("proofs, values, tables and libraries are in the record as rank 0 stated them") {
  Made made({"--repetitions", "1"});
  Check& check = *made.check;
  check.library("blas", "some BLAS");
  check.repeat([](int) { Section s{work}; });
  check.prove(proof, 2e-10);
  check.prove_near(proof, 3, 4);
  check.prove(proof, nan_value, 0.5, "grows with n");
  check.prove_near(proof, 3, 4, 0.25, "half a step");
  check.value("iterations", "1", 17);
  check.chosen("layout", "1", 2);
  check.table({"pairs", "us", Better::lower, {"a"}, {"b"}, {static_cast<double>(100 + check.rank())}});
  const std::string record = made.finished();
  if (check.rank() != 0) return;
  const std::string start = R"({"type":"validity","name":"sum","value":)";
  holds(record, start + R"(2e-10,"expected":0,"limit":1e-09,"mode":"max","source":"a book"})" + "\n");
  holds(record, start + R"(3,"expected":4,"limit":1e-09,"mode":"abs","source":"a book"})" + "\n");
  holds(record, start + R"("nan","expected":0,"limit":0.5,"mode":"max","source":"a book; grows with n"})" + "\n");
  holds(record, start + R"(3,"expected":4,"limit":0.25,"mode":"abs","source":"a book; half a step"})" + "\n");
  holds(record, R"({"type":"value","name":"iterations","unit":"1","value":17})"
                "\n");
  holds(record, R"({"type":"value","name":"layout","unit":"1","value":2,"chosen":true})"
                "\n");
  holds(record, R"("values":[[100]]})"
                "\n");
  CHECK(record.find("[[101]]") == std::string::npos);
  holds(record, R"("libraries":{"blas":"some BLAS"})");
}

TEST_CASE("the clock is sampled before, after and in between, at most 64 times there") {
  const bool held = table.held_to_peak;
  for (const bool to_peak : {false, true}) {
    table.held_to_peak = to_peak;
    for (const auto& [repetitions, samples] :
         {std::pair(3, 5), std::pair(64, 66), std::pair(65, 34), std::pair(130, 45)}) {
      Made made;
      {
        Timing timing(*made.check, repetitions);
        for (int i = 0; i < repetitions; ++i) const auto repetition = timing.next();
      }
      const std::string record = made.finished();
      if (made.check->rank() != 0) continue;
      CHECK(numbers(record, R"({"type":"rank","rank":0)", "frequency_hz").size() == static_cast<std::size_t>(samples));
      CHECK(numbers(record, R"({"type":"rank","rank":0)", "vector_frequency_hz").size() ==
            static_cast<std::size_t>(to_peak && has_widest_vectors() ? samples : 0));
    }
    // Repetitions of 5 ms each: every fourth is enough.
    Made made;
    {
      Timing timing(*made.check, 9, 0.005);
      for (int i = 0; i < 9; ++i) const auto repetition = timing.next();
    }
    const std::string record = made.finished();
    if (made.check->rank() == 0) CHECK(numbers(record, R"({"type":"rank","rank":0)", "frequency_hz").size() == 4);
  }
  table.held_to_peak = held;
}

TEST_CASE("the timed part has its trust counters, and where threads and pages are") {
  Made made;
  const std::int64_t before = monotonic_ns();
  {
    Timing timing(*made.check, 1);
    const auto repetition = timing.next();
    const std::int64_t start = monotonic_ns();
    while (monotonic_ns() - start < 2'000'000) {
    }
  }
  const double longest = static_cast<double>(monotonic_ns() - before);
  const std::string record = made.finished();
  if (made.check->rank() != 0) return;
  const auto of = [&](const std::string& key) {
    return std::strtod(record.c_str() + record.find("\"" + key + "\":") + key.size() + 3, nullptr);
  };
  CHECK(of("wall_ns") >= 2e6);
  CHECK(of("wall_ns") <= longest);
  CHECK(of("cpu_ns") > 0);
  CHECK(of("cpu_begin") >= 0);
  CHECK(of("cpu_end") >= 0);
  holds(record, R"("threads":[{"thread":0,)");
}

TEST_CASE("what a check may not do is refused in one sentence") {
  Made made({"--repetitions", "1"});
  Check& check = *made.check;
  CHECK(refusal(ExitCode::impossible, [&] { check.finish(); }) == "the check made ended without a timed repetition");
  check.repeat([](int) {});
  CHECK(refusal(ExitCode::impossible, [&] { check.repeat([](int) {}); }) == "a check can be timed once a launch");
  CHECK_NOTHROW(check.require_memory(1 << 20, "an array"));
  const std::string ranks = std::to_string(check.node_ranks());
  const std::string sentence = refusal(ExitCode::impossible, [&] { check.require_memory(0x1p50, "an array"); });
  char needed[64];
  std::snprintf(needed, sizeof needed, "an array needs %.3g GiB on each node (%d ranks), but ",
                0x1p20 * check.node_ranks(), check.node_ranks());
  CHECK(sentence.starts_with(needed));
  CHECK(sentence.ends_with(" GiB are available; choose a smaller size"));
  if (access("/dev/nvidia0", F_OK) != 0) {
    CHECK(refusal(ExitCode::lacking, [] {
            Made card({"--variant", "card"});
          }).find(", and variant 'card' needs one") != std::string::npos);
  }
}

TEST_CASE("the planted delay holds up the last rank alone, by a millisecond a repetition") {
  Made made({"--fault", "delay"});
  Timing timing(*made.check, 1);
  const std::int64_t start = monotonic_ns();
  { const auto repetition = timing.next(); }
  if (made.check->rank() == made.check->ranks() - 1) CHECK(monotonic_ns() - start >= 1'000'000);
}

TEST_CASE("after its end a check leaves no open page behind") {
  { Made made; }
  CHECK(detail::live.page == nullptr);
  CHECK(detail::live.row == nullptr);
}
