// How a check program ends: exit codes and what it says, each in a process of its own because MPI starts once in each.
#include <doctest/doctest.h>
#include <omp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "measure/page.hpp"
#include "measure/threads_run.hpp"
#include "testing/plant.hpp"

using namespace tenken;

namespace {

constexpr std::array<SectionSpec, 1> sections = {{{"work", Kind::compute, true, ""}}};
constexpr std::array<VariantSpec, 1> variants = {VariantSpec{"plain", "", false}};
constexpr CheckTable table = {"made", "A check", "Does it end?", "one pass", {}, sections, variants, {}};

struct Ended {
  int code = -1;
  std::string said;  // on both outputs
};

Ended ended(
    std::vector<std::string> words, void (*body)(Check&), void (*before)() = [] {}) {
  const testing::PlantedTree folder;
  const std::string out = (folder.root() / "said").string();
  words.insert(words.begin(), "made");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen(out.c_str(), "w", stdout) == nullptr || dup2(fileno(stdout), 2) < 0) _exit(99);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    before();
    const int code = run_check(static_cast<int>(words.size()), argv.data(), table, body);
    std::fflush(nullptr);
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::ifstream file(out);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, {std::istreambuf_iterator<char>(file), {}}};
}

void timed(Check& check) {
  check.repeat([](int) { Section s{Leaf{0}}; });
}

}  // namespace

TEST_CASE("help needs no MPI and ends well") {
  for (const char* word : {"--help", "-h"}) {
    const Ended help = ended({word}, [](Check&) { throw std::logic_error("was run"); });
    CHECK(help.code == 0);
    CHECK(help.said.starts_with("made: A check\nDoes it end?\n"));
  }
}

TEST_CASE("a check that ends well prints a summary where no record is asked for") {
  const Ended well = ended({"--repetitions", "1"}, timed);
  CHECK(well.code == 0);
  CHECK(well.said.find("rank 0, median over repetitions") != std::string::npos);
  CHECK(well.said.find("work   ") != std::string::npos);
}

TEST_CASE("mistakes end with the code of their kind, and one sentence") {
  const Ended wrong = ended({"--nonsense", "1"}, timed);
  CHECK(wrong.code == 3);
  CHECK(wrong.said.find("made: parameter --nonsense is not known to made") != std::string::npos);
  const Ended untimed = ended({}, [](Check&) {});
  CHECK(untimed.code == 4);
  CHECK(untimed.said.find("made: the check made ended without a timed repetition\n") != std::string::npos);
  const Ended missing = ended({}, [](Check&) { lacking("no device"); });
  CHECK(missing.code == 5);
  CHECK(missing.said.find("made: no device\n") != std::string::npos);
}

constexpr ValiditySpec plain_proof{"sum", 1e-9, "by construction"};
constexpr ValiditySpec odd_proof{"odd/far", std::numeric_limits<double>::quiet_NaN(), "by hand", "2 * spread * ranks"};

TEST_CASE("by hand the proofs come first, in words and with the limit of the judge") {
  const Ended well = ended({"--repetitions", "1"}, [](Check& check) {
    timed(check);
    check.prove(plain_proof, 1e-12);
    check.prove_near(odd_proof, 3, 4, 7, "of the size");
    check.value("spread", "1", 0.75);
    check.value("trip", "ns", 20);
  });
  CHECK(well.code == 0);
  CHECK(
      well.said.starts_with("right    sum is 1e-12, should be at most 1e-09\n"
                            "right    odd/far is 3, should be 4 within 1.5\nrank 0, median"));
  CHECK(well.said.ends_with("value    spread is 0.75\nvalue    trip is 20 ns\n"));
}

TEST_CASE("by hand a wrong answer is loud: INVALID, no rate, exit code 1") {
  const Ended wrong = ended({"--repetitions", "1"}, [](Check& check) {
    timed(check);
    check.prove(plain_proof, 0);
    check.value("spread", "1", 0.25);
    check.value("speed", "GB/s", 20);
    check.prove_near(odd_proof, 3, 4, 7, "of the size");
  });
  CHECK(wrong.code == 1);
  CHECK(wrong.said ==
        "INVALID  wrong answer: odd/far is 3, should be 4 within 0.5 (by hand; of the size)\n"
        "right    sum is 0, should be at most 1e-09\nvalue    spread is 0.25\n");
}

TEST_CASE("by hand a proof without a limit, or that is no number, does not hold") {
  const Ended unlimited = ended({"--repetitions", "1"}, [](Check& check) {
    timed(check);
    check.prove(odd_proof, 0, 1, "");
  });
  CHECK(unlimited.code == 1);
  CHECK(unlimited.said ==
        "INVALID  wrong answer: odd/far is 0, its limit '2 * spread * ranks' has no value here (by hand)\n");
  const Ended odd = ended({"--repetitions", "1"}, [](Check& check) {
    timed(check);
    check.prove(plain_proof, std::numeric_limits<double>::quiet_NaN());
  });
  CHECK(odd.code == 1);
  CHECK(odd.said == "INVALID  wrong answer: sum is nan, should be at most 1e-09 (by construction)\n");
}

TEST_CASE("with a record the judge answers: nothing is printed, exit code 0") {
  const testing::PlantedTree folder;
  const Ended recorded = ended({"--repetitions", "1", "--record", (folder.root() / "r.jsonl").string()}, [](Check& c) {
    timed(c);
    c.prove(plain_proof, 1);
  });
  CHECK(recorded.code == 0);
  CHECK(recorded.said == "");
}

TEST_CASE("fewer threads than asked for are refused before anything runs") {
  const Ended few = ended({"--threads", "2"}, timed, [] { omp_set_max_active_levels(0); });
  CHECK(few.code == 3);
  CHECK(few.said.starts_with("made: 1 of 2 threads run: "));
  CHECK(few.said.find("rank 0") == std::string::npos);
  const Ended enough = ended({"--threads", "1", "--repetitions", "1"}, timed, [] { omp_set_max_active_levels(0); });
  CHECK(enough.code == 0);
}

// An OpenMP library reads its variables before main: the test below starts this program again with the variable set.
TEST_CASE("started with a thread limit" * doctest::skip()) {
  CHECK(threads_that_run(2) == 1);
  const Ended few = ended({"--threads", "2"}, timed);
  CHECK(few.code == 3);
  CHECK(few.said == "made: 1 of 2 threads run: OMP_THREAD_LIMIT=1; unset it\n");
}

TEST_CASE("the variable that takes threads away is named") {
  char self[4096] = {};
  REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  const std::string again =
      "OMP_THREAD_LIMIT=1 '" + std::string(self) + "' --no-skip -tc='started with a thread limit'";
  const int status = std::system(again.c_str());
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("each variable that limits threads is in the sentence") {
  const auto two = [](const char* name) -> const char* {
    const std::string_view asked = name;
    return asked == "OMP_THREAD_LIMIT" ? "3" : asked == "KMP_ALL_THREADS" ? "2" : nullptr;
  };
  CHECK(too_few_threads(2, 4, two) == "2 of 4 threads run: OMP_THREAD_LIMIT=3, KMP_ALL_THREADS=2; unset them");
  const std::string unknown = too_few_threads(2, 4, [](const char*) -> const char* { return nullptr; });
  CHECK(unknown.starts_with("2 of 4 threads run: the OpenMP library gives no more (thread limit "));
  CHECK(unknown.ends_with("; ask for --threads 2"));
}

TEST_CASE("what is no user's mistake is called an internal error, and names the rank") {
  const Ended broken = ended({}, [](Check&) { throw std::runtime_error("odd"); });
  CHECK(broken.code != 0);
  CHECK(broken.said.find("made: internal error on rank 0: odd\n") != std::string::npos);
}

TEST_CASE("the planted crash comes in the middle of the repetitions, and the page says so") {
  for (const auto& [repetitions, middle] : {std::pair(5, 2), std::pair(8, 4)}) {
    const testing::PlantedTree folder;
    const Ended crashed = ended(
        {"--fault", "crash", "--repetitions", std::to_string(repetitions), "--pages", folder.root().string()}, timed);
    CHECK(crashed.code != 0);
    PageHeader header{};
    std::ifstream(folder.root() / "rank-00000.page", std::ios::binary)
        .read(reinterpret_cast<char*>(&header), sizeof header);
    CHECK(header.completed == middle);
    CHECK(header.planned == repetitions);
    CHECK(header.state == static_cast<std::int32_t>(State::timing));
    CHECK(header.section == -1);  // outside of every section
  }
}
