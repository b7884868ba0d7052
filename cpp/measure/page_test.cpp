#include "measure/page.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "testing/plant.hpp"

using namespace tenken;

namespace {

const std::vector<std::string> four = {"solve", "solve/operator", "exchange/8", "exchange/64"};
constexpr int many = 6000;  // repetitions: their cells fill some hundred pages of memory

std::int64_t faults() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return used.ru_minflt;
}

std::string file_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string refusal(auto&& call) {
  try {
    call();
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::impossible);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("all cells are in memory before the timed part, and none of them was anything before") {
  Page page("", 0, four, 1.0);
  page.reserve(many);
  const auto size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(page.row(Page::first_repetition_row)) + size - 1) / size * size;
  const auto end = reinterpret_cast<std::uintptr_t>(page.row(Page::first_repetition_row + many)) / size * size;
  std::vector<unsigned char> resident((end - begin) / size);
  REQUIRE(resident.size() > 200);
  REQUIRE(mincore(reinterpret_cast<void*>(begin), end - begin, resident.data()) == 0);
  for (std::size_t i = 0; i < resident.size(); ++i) {
    CAPTURE(i);
    CHECK((resident[i] & 1) == 1);
  }
}

TEST_CASE("samples written into a page file wait for no page of memory") {
  const testing::PlantedTree folder;
  Page page(folder.root().string(), 0, four, 1.0);
  page.reserve(many);
  const std::int64_t before = faults();
  for (int row = 0; row < many; ++row) page.row(Page::first_repetition_row + row)[3].calls = 1;
  CHECK(faults() - before < 20);  // of some 280 pages; a few are others'
}

TEST_CASE("the header of a page") {
  const testing::PlantedTree folder;
  Page page(folder.root().string(), 31, four, 0.25);
  const PageHeader& header = page.header();
  CHECK(std::string(header.magic, 8) == "TKNPAGE1");
  CHECK(header.rank == 31);
  CHECK(header.pid == getpid());
  CHECK(header.state == static_cast<std::int32_t>(State::starting));
  CHECK(header.section == -1);
  CHECK(header.completed == 0);
  CHECK(header.planned == 0);
  CHECK(header.sections == 4);
  CHECK(header.rows == 2);
  CHECK(header.cells_offset == 4096);
  CHECK(header.ns_per_tick == 0.25);
  CHECK(header.names_offset == 168);
  CHECK(header.cell_bytes == 48);
  CHECK(page.row(1) - page.row(0) == 4);
  page.reserve(7);
  CHECK(page.header().rows == 9);
  CHECK(page.header().planned == 7);
}

TEST_CASE("names and cells lie where the documented layout says, in whole pages") {
  const testing::PlantedTree folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 41; ++i) paths.push_back("section/" + std::to_string(i));
  paths.push_back(std::string(120, 'n'));
  {
    Page page(folder.root().string(), 2, paths, 1.0);
    CHECK(page.header().cells_offset == 8192);  // 168 + 42 x 96 bytes are more than one page of 4096
    page.row(Page::warm_up_row)[41].messages = 77;
    page.header().steps = 78;
    page.reserve(1);
    page.row(Page::first_repetition_row)[2].calls = 5;
    page.row(Page::first_repetition_row)[2].bytes_written = 6;
    const Page& constant = page;
    CHECK(constant.row(Page::first_repetition_row)[2].calls == 5);
  }
  const std::string bytes = file_of(folder.root() / "rank-00002.page");
  CHECK(bytes.size() % 4096 == 0);
  CHECK(bytes.size() == 8192 + (3 * 42 * 48 + 4095) / 4096 * 4096);
  std::int64_t steps = 0;
  bytes.copy(reinterpret_cast<char*>(&steps), sizeof steps, 160);
  CHECK(steps == 78);
  CHECK(std::string(bytes.c_str() + 168 + 96 * 40) == "section/40");
  CHECK(std::string(bytes.c_str() + 168 + 96 * 41) == std::string(95, 'n'));
  const auto number = [&](std::size_t row, std::size_t section, std::size_t field) {
    std::int64_t value = 0;
    bytes.copy(reinterpret_cast<char*>(&value), sizeof value, 8192 + ((row * 42 + section) * 6 + field) * 8);
    return value;
  };
  CHECK(number(1, 41, 5) == 77);
  CHECK(number(2, 2, 0) == 5);
  CHECK(number(2, 2, 4) == 6);
}

TEST_CASE("samples in memory outlive a larger page") {
  Page page("", 0, four, 1.0);
  page.row(Page::once_row)[0].ticks = 11;
  page.row(Page::warm_up_row)[3].messages = 12;
  page.reserve(many);
  CHECK(page.row(Page::once_row)[0].ticks == 11);
  CHECK(page.row(Page::warm_up_row)[3].messages == 12);
  CHECK(page.row(Page::first_repetition_row)[0].calls == 0);
}

TEST_CASE("a page that cannot be made is one sentence that names it") {
  CHECK(
      refusal([] { Page("/nonexistent/folder", 3, four, 1.0); }) ==
      "the sample page /nonexistent/folder/rank-00003.page cannot be created (No such file or directory); --pages must "
      "name a folder that can be written");
  // A file may not grow beyond a limit of the process: as on a full disk, it is found at once.
  const testing::PlantedTree folder;
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = old;
  small.rlim_cur = 1 << 16;
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string sentence = refusal([&] {
    Page page(folder.root().string(), 0, four, 1.0);
    page.reserve(many);
  });
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, ignored);
  CHECK(sentence.starts_with("no room for the sample page " + (folder.root() / "rank-00000.page").string() + " of "));
  CHECK(sentence.find(" KiB (File too large); free space there") != std::string::npos);
}
