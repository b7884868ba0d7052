#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/clock.hpp"
#include "measure/frequency.hpp"
#include "measure/page.hpp"
#include "measure/record.hpp"
#include "measure/repetitions.hpp"
#include "measure/section.hpp"

using namespace tenken;

namespace {

const std::vector<std::string> paths = {"solve", "solve/operator", "exchange/8", "exchange/64"};
constexpr std::array<int, 3> slots = {0, 1, 2};

std::array<bool, 4> single{};

void open_row(Page& page, int row) { detail::live = {&page.header(), page.row(row), slots.data(), single.data()}; }

}  // namespace

TEST_CASE("the clock agrees with the system clock") {
  const Clock clock;
  const std::int64_t ns = monotonic_ns();
  const std::int64_t ticks = ticks_now();
  while (monotonic_ns() - ns < 20'000'000) {
  }
  const double measured = static_cast<double>(ticks_now() - ticks) * clock.ns_per_tick();
  CHECK(measured == doctest::Approx(static_cast<double>(monotonic_ns() - ns)).epsilon(0.01));
  CHECK(std::abs(clock.drift()) < 1e-3);
}

TEST_CASE("repetitions fill the seconds, and are fewer than five only where one pass is slow") {
  CHECK(fitting_repetitions(1, 0.01) == 100);
  CHECK(fitting_repetitions(1, 1e-9) == 20000);
  CHECK(fitting_repetitions(1, 0.5) == 5);
  CHECK(fitting_repetitions(1, 0.8) == 5);
  CHECK(fitting_repetitions(1, 1.1) == 3);
  CHECK(fitting_repetitions(1, 60) == 2);
  CHECK(fitting_repetitions(0.1, 0.1) == 4);
}

namespace {

struct GroupRun {
  int done = 0, looks = 0;
  double elapsed = 0;
};

// A group whose repetition n takes seconds_of(n).
template <class SecondsOf>
GroupRun run_group(double seconds, int planned, SecondsOf seconds_of) {
  GroupRun group;
  GroupEnd end(seconds, planned);
  while (group.done < planned) {
    group.elapsed += seconds_of(group.done++);
    if (!end.due(group.done)) continue;
    ++group.looks;
    if (end.over(group.done, group.elapsed)) break;
  }
  return group;
}

}  // namespace

TEST_CASE("a group ends by time where its repetitions are slower than planned, after few looks at the time") {
  for (const double slower : {1.1, 2.0, 11.0, 300.0, 2000.0}) {
    INFO(slower);
    const GroupRun group = run_group(1, 20000, [&](int) { return 5e-5 * slower; });
    CHECK(group.elapsed >= 1);
    CHECK(group.elapsed <= 1.0625 + 2 * 5e-5 * slower);
    CHECK(group.looks <= 60);
  }
  // Slower from the middle on: over by at most what half of the repetitions so far, or one in 16, take.
  const GroupRun late = run_group(1, 20000, [](int n) { return n < 10000 ? 5e-5 : 1e-3; });
  CHECK(late.done < 20000);
  CHECK(late.elapsed < 1 + 1e-3 * 5000);
  // A first repetition that is slow does not end the group.
  CHECK(run_group(1, 1000, [](int n) { return n == 0 ? 0.5 : 5e-4; }).done == 1000);
}

TEST_CASE("a group that keeps to its plan runs all of it") {
  for (const int planned : {2, 3, 5, 100, 20000}) {
    CHECK(run_group(1, planned, [&](int) { return 0.99 / planned; }).done == planned);
  }
}

TEST_CASE("a slow group has five repetitions, as many as four times the seconds have time for, and two in any case") {
  CHECK(run_group(1, 100, [](int) { return 0.7; }).done == 5);
  CHECK(run_group(1, 100, [](int) { return 1.5; }).done == 3);
  CHECK(run_group(1, 100, [](int) { return 60.0; }).done == 2);
}

TEST_CASE("the frequency is that of a processor") {
  const double hz = core_frequency_hz(Clock().ns_per_tick());
  CHECK(hz > 0.2e9);
  CHECK(hz < 10e9);
}

TEST_CASE("a core adds more than once a cycle where the sums do not wait for each other") {
  std::vector<double> one;
  double team = 0;
  for (int i = 0; i < 20; ++i) {
    one.push_back(core_additions_per_cycle());
    team = std::max(team, team_additions_per_cycle(2));
  }
  std::sort(one.begin(), one.end());
  CHECK(one.back() > 1.3);  // two adders, of which another hardware thread may have had its half most of the time
  CHECK(one[10] < 12);      // an interruption between the two measurements makes a single ratio too large
  CHECK(team > 0.6);
}

TEST_CASE("multiply-adds beside the chain never bind it: under vectors the clock is lower by turbo steps at most") {
  const double ns_per_tick = Clock().ns_per_tick();
  double plain = 0, vectors = 0;
  for (int i = 0; i < 20; ++i) {
    plain = std::max(plain, core_frequency_hz(ns_per_tick));
    vectors = std::max(vectors, core_frequency_hz(ns_per_tick, Beside::widest_vectors));
  }
  CHECK(vectors > 0.5 * plain);
  CHECK(vectors < 1.1 * plain);
}

#if TENKEN_SECTIONS
TEST_CASE("sections nest, count calls and work, and show where the rank is") {
  Page page("", 0, paths, 1.0);
  page.reserve(2);
  open_row(page, Page::first_repetition_row);
  CHECK(page.header().section == -1);
  {
    Section solve{Group{0}};
    CHECK(page.header().section == 0);
    for (int i = 0; i < 3; ++i) {
      Section op{Leaf{1}, {.flop = 10, .bytes_read = 2, .bytes_written = 1, .messages = 4}};
      CHECK(page.header().section == 1);
    }
    CHECK(page.header().section == 0);
    Section exchange{Leaf{2}, 1, {.messages = 1}};
    CHECK(page.header().section == 3);
  }
  CHECK(page.header().section == -1);
  const Cell* row = page.row(Page::first_repetition_row);
  CHECK(row[0].calls == 1);
  CHECK(row[1].calls == 3);
  CHECK(row[1].flop == 30);
  CHECK(row[1].bytes_read == 6);
  CHECK(row[1].messages == 12);
  CHECK(row[2].calls == 0);
  CHECK(row[3].calls == 1);
  CHECK(row[0].ticks >= row[1].ticks);
  CHECK(page.row(Page::first_repetition_row + 1)[1].calls == 0);
}

TEST_CASE("a section says where its flop are in single precision") {
  Page page("", 0, paths, 1.0);
  page.reserve(1);
  single = {};
  open_row(page, Page::first_repetition_row);
  { Section op{Leaf{1}, {.flop = 10, .precision = Work::Precision::single}}; }
  { Section exchange{Leaf{2}, 1, {.flop = 10}}; }
  CHECK(single == std::array<bool, 4>{false, true, false, false});
  add_sample(Leaf{0}, 5, {.flop = 1, .precision = Work::Precision::single});
  CHECK(single[0]);
}

TEST_CASE("series lines hold repetitions with samples, and work once where it never changes") {
  Page page("", 3, paths, 2.0);
  page.reserve(2);
  for (int r = 0; r < 2; ++r) {
    open_row(page, Page::first_repetition_row + r);
    Section op{Leaf{1}, {.flop = 10}};
  }
  for (int r = 0; r < 2; ++r) page.row(Page::first_repetition_row + r)[1].ticks = 100 + r;
  std::vector<LiveSection> sections;
  for (const auto& path : paths) sections.push_back({path, nullptr});
  const std::string same = R"({"type":"series","rank":3,"section":1,"repetition":[0,1],"calls":[1,1],"ns":[200,202],)"
                           R"("work":{"flop":10,"bytes_read":0,"bytes_written":0,"messages":0}})"
                           "\n";
  CHECK(series_lines(3, page, sections) == same);
  page.row(Page::first_repetition_row)[1].flop = 5;
  CHECK(series_lines(3, page, sections).find(R"("work":[{"flop":5,)") != std::string::npos);
}
#endif

TEST_CASE("a page file has the documented header and keeps samples over reserve") {
  const auto folder = std::filesystem::temp_directory_path() / ("tenken-page-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  {
    Page page(folder, 7, paths, 0.5, "n1#2", "0123456789abcdef");
    page.row(Page::once_row)[1].calls = 42;
    page.reserve(3);
    CHECK(page.row(Page::once_row)[1].calls == 42);
    page.header().completed = 2;
  }
  std::ifstream file(folder / "rank-00007.page", std::ios::binary);
  PageHeader header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  CHECK(std::string(header.magic, 8) == "TKNPAGE1");
  CHECK(header.rank == 7);
  CHECK(header.completed == 2);
  CHECK(header.planned == 3);
  CHECK(header.rows == 5);
  CHECK(header.sections == 4);
  CHECK(std::string(header.host) == "n1#2");
  CHECK(std::string(header.launch) == "0123456789abcdef");
  char name[Page::name_bytes];
  file.seekg(header.names_offset + static_cast<std::streamoff>(Page::name_bytes));
  file.read(name, sizeof name);
  CHECK(std::string(name) == "solve/operator");
  std::filesystem::remove_all(folder);
}

TEST_CASE("a page that cannot be created is one sentence") {
  CHECK_THROWS_AS(Page("/nonexistent/folder", 0, paths, 1.0), UserError);
}

TEST_CASE("a record takes the place of a regular file alone") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("tenken-record-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "old") << "x";
  fs::create_symlink(folder / "old", folder / "link");
  CHECK_NOTHROW(tenken::require_regular("", "--record"));
  CHECK_NOTHROW(tenken::require_regular(folder / "new", "--record"));
  CHECK_NOTHROW(tenken::require_regular(folder / "old", "--record"));
  CHECK_THROWS_AS(tenken::require_regular(folder / "link", "--record"), tenken::UserError);
  CHECK_THROWS_AS(tenken::require_regular(folder, "--record"), tenken::UserError);
  CHECK_THROWS_WITH_AS(tenken::require_regular("/dev/full", "--record"),
                       "--record /dev/full is no regular file and would be replaced; name a regular file",
                       tenken::UserError);
  fs::remove_all(folder);
}

TEST_CASE("a page does not follow a planted link") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("tenken-link-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "precious") << "kept";
  fs::create_symlink(folder / "precious", folder / "rank-00000.page");
  { const tenken::Page page(folder.string(), 0, std::vector<std::string>{"a"}, 1.0, ""); }
  std::string text;
  std::ifstream(folder / "precious") >> text;
  CHECK(text == "kept");
  CHECK(!fs::is_symlink(folder / "rank-00000.page"));
  fs::remove_all(folder);
}
