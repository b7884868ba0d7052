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
