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
#include "testing/plant.hpp"

using namespace tenken;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<ParameterSpec, 1> parameters = {{{"sizes", ParameterType::integers, "8,64", 1, 1000, "", 0, ""}}};
constexpr std::array<SectionSpec, 3> sections = {
    {{"work", Kind::compute, true, ""}, {"list", Kind::comm, true, "sizes"}, {"setup", Kind::io, true, ""}}};
constexpr Leaf work{0}, list{1}, setup{2};
constexpr std::array<VariantSpec, 2> variants = {VariantSpec{"plain", "", false}, VariantSpec{"card", "", true}};
constexpr ValiditySpec proof{"sum", 1e-9, "a book"};
CheckTable table = {"made", "t", "q", "r", parameters, sections, variants, {}};

// A check with these words, in a folder that all ranks share. The processors it may use are given back at its end.
class Made {
 public:
  explicit Made(std::vector<std::string> typed = {}) : words_(std::move(typed)) {
    sched_getaffinity(0, sizeof allowed_, &allowed_);
    std::array<char, 256> name{};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    if (rank_ == 0) planted_.root().string().copy(name.data(), name.size() - 1);
    MPI_Bcast(name.data(), name.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
    folder = name.data();
    const std::vector<std::string> where = {"made", "--record", (folder / "record").string(), "--pages",
                                            folder.string()};
    words_.insert(words_.begin(), where.begin(), where.end());
    for (std::string& word : words_) argv_.push_back(word.data());
    check.emplace(table, static_cast<int>(argv_.size()), argv_.data());
  }
  ~Made() {
    check.reset();
    sched_setaffinity(0, sizeof allowed_, &allowed_);
    MPI_Barrier(MPI_COMM_WORLD);  // nobody looks into the folder any more
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  // What is in the record, known to rank 0; elsewhere the lines of one's own rank are all that is looked at.
  std::string finished() {
    check->finish();
    std::ifstream file(folder / "record");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  PageHeader page() const {
    char name[32];
    std::snprintf(name, sizeof name, "rank-%05d.page", check->rank());
    std::ifstream file(folder / name, std::ios::binary);
    PageHeader header{};
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    return header;
  }

  std::filesystem::path folder;
  std::optional<Check> check;

 private:
  testing::PlantedTree planted_;
  std::vector<std::string> words_;
  std::vector<char*> argv_;
  cpu_set_t allowed_{};
  int rank_ = 0;
};

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  return true;
}

// The numbers of `"key":[...]` behind `start`.
std::vector<double> numbers(const std::string& text, const std::string& start, const std::string& key) {
  std::vector<double> found;
  const auto line = text.find(start);
  REQUIRE(line != std::string::npos);
  const std::string all = text.substr(line, text.find('\n', line) - line);
  const auto at = all.find("\"" + key + "\":[");
  if (at == std::string::npos) return found;
  const char* next = all.c_str() + at + key.size() + 4;
  while (*next != ']') {
    char* end = nullptr;
    found.push_back(std::strtod(next, &end));
    next = *end == ',' ? end + 1 : end;
  }
  return found;
}

std::string refusal(ExitCode code, auto&& call) {
  try {
    call();
  } catch (const UserError& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return "";
}

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
