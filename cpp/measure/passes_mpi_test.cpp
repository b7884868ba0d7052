// Runs on 4 ranks.
// How many passes a check times, and the rows that they leave.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "measure/clock.hpp"
#include "measure/made_check_test.hpp"

using namespace tenken;
using namespace tenken::testing;

TEST_CASE("passes: two to warm up, then as many as asked for, each with a row of its own; the record has them all") {
  Made made({"--repetitions", "5", "--launch", "id-of-launch"});
  Check& check = *made.check;
  CHECK(made.page().state == static_cast<int>(State::starting));
  const std::time_t started = std::time(nullptr);
  std::vector<int> passes;
  { Section once{setup, {.bytes_read = 9}}; }
  check.repeat([&](int repetition) {
    passes.push_back(repetition);
    CHECK(made.page().completed == std::max(repetition, 0));
    CHECK(made.page().state == static_cast<int>(repetition < 0 ? State::starting : State::timing));
    { Section s{work, {.flop = 100 + repetition}}; }
    { Section batch{list, 1, {.messages = 2}, 30}; }
  });
  CHECK(passes == std::vector<int>{-2, -1, 0, 1, 2, 3, 4});
  CHECK(made.page().completed == 5);
  CHECK(made.page().planned == 5);
  CHECK(std::string(made.page().launch) == "id-of-launch");
  check.prove(proof, 1e-12);
  const std::string record = made.finished();
  CHECK(made.page().state == static_cast<int>(State::done));
  if (check.rank() != 0) return;
  for (int rank = 0; rank < check.ranks(); ++rank) {
    const std::string of_rank = R"({"type":"series","rank":)" + std::to_string(rank) + R"(,"section":)";
    CHECK(numbers(record, of_rank + "0,", "repetition") == std::vector<double>{0, 1, 2, 3, 4});
    CHECK(numbers(record, of_rank + "0,", "calls") == std::vector<double>{1, 1, 1, 1, 1});
    CHECK(numbers(record, of_rank + "2,", "calls") == std::vector<double>{30, 30, 30, 30, 30});
    CHECK(numbers(record, of_rank + "3,", "repetition") == std::vector<double>{-1});
    CHECK(record.find(of_rank + "1,") == std::string::npos);
  }
  holds(record, R"("work":[{"flop":100,)");
  holds(record, R"({"flop":104,)");
  holds(record, R"("path":"list/8","kind":"comm")");
  holds(record, R"("path":"list/64","kind":"comm")");
  const auto stamp = [&](std::time_t at) {
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&at));
    return std::string(text);
  };
  const std::string told = record.substr(record.find("\"started\":\"") + 11, 20);
  CHECK(told >= stamp(started - 60));
  CHECK(told <= stamp(started));
  const double overhead = std::strtod(record.c_str() + record.find("\"timer_overhead_ns\":") + 20, nullptr);
  CHECK(overhead > 0);
  CHECK(overhead < 1e6);
}

TEST_CASE("a pass that is split has a row for each part; a section may have fewer of them") {
  Made made({"--repetitions", "2"});
  Check& check = *made.check;
  check.repeat([&](int repetition) {
    if (repetition < 0) check.split(3);
    for (int part = 0; part < 3; ++part) {
      check.part(part);
      { Section s{work, {.flop = 10 * repetition + part}}; }
      if (part < 2) Section batch{list, 1, {.messages = 2}};
    }
    CHECK(refusal(ExitCode::impossible, [&] { check.part(3); }) == "part 3 of a repetition that was split into 3");
  });
  CHECK(made.page().completed == 2);
  CHECK(made.page().planned == 2);
  CHECK(refusal(ExitCode::impossible, [&] { check.split(2); }) ==
        "a check splits its repetitions before they are timed");
  check.prove(proof, 1e-12);
  const std::string record = made.finished();
  if (check.rank() != 0) return;
  const std::string of_rank = R"({"type":"series","rank":0,"section":)";
  CHECK(numbers(record, of_rank + "0,", "repetition") == std::vector<double>{0, 1, 2, 3, 4, 5});
  CHECK(numbers(record, of_rank + "2,", "repetition") == std::vector<double>{0, 1, 3, 4});
  for (const int flop : {0, 1, 2, 10, 11, 12}) holds(record, R"({"flop":)" + std::to_string(flop) + ",");
  holds(record, R"("repetitions":{"planned":2,"run":2})");
}

TEST_CASE("a pass that is slow is estimate and warm-up in one, and is timed twice") {
  Made made({"--seconds", "0.001"});
  std::vector<int> passes;
  made.check->repeat([&](int repetition) {
    passes.push_back(repetition);
    const std::int64_t start = monotonic_ns();
    while (monotonic_ns() - start < 3'000'000) {
    }
  });
  CHECK(passes == std::vector<int>{-2, 0, 1});
}

TEST_CASE("a group ends by time on all ranks alike, where the passes of one rank are slower than its warm-up") {
  Made made({"--seconds", "0.5"});
  Check& check = *made.check;
  int passes = 0;
  check.repeat([&](int repetition) {
    if (repetition < 0) return;
    const Section s{work};
    ++passes;
    if (check.rank() == check.ranks() - 1 && repetition < 20)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  CHECK(passes == 5);
  CHECK(made.page().completed == 5);
  CHECK(made.page().planned == 5);
  const std::string record = made.finished();
  if (check.rank() != 0) return;
  const auto at = record.find(R"("repetitions":{"planned":)");
  REQUIRE(at != std::string::npos);
  CHECK(std::strtod(record.c_str() + at + 25, nullptr) > 5);
  holds(record, R"(,"run":5})");
  for (int rank = 0; rank < check.ranks(); ++rank) {
    const std::string of_rank = R"({"type":"series","rank":)" + std::to_string(rank) + R"(,"section":0,)";
    CHECK(numbers(record, of_rank, "repetition") == std::vector<double>{0, 1, 2, 3, 4});
  }
}

TEST_CASE("repetitions that were asked for all run, however long they take") {
  Made made({"--repetitions", "7", "--seconds", "0.001"});
  int passes = 0;
  made.check->repeat([&](int repetition) {
    passes += repetition >= 0 ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  });
  CHECK(passes == 7);
  const std::string record = made.finished();
  if (made.check->rank() == 0) holds(record, R"("repetitions":{"planned":7,"run":7})");
}
