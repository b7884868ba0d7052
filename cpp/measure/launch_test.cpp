// What a launch is given beside its parameters: rank map, thread level, memory; and the tables that it writes.
#include <doctest/doctest.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "base/error.hpp"
#include "measure/memory.hpp"
#include "measure/rank_map.hpp"
#include "measure/record_table.hpp"
#include "measure/thread_level.hpp"
#include "testing/plant.hpp"

using namespace tenken;

namespace {

std::string refusal(const testing::PlantedTree& folder, const std::string& text, int places) {
  folder.write("map", text);
  try {
    read_rank_map((folder.root() / "map").string(), places);
  } catch (const UserError& error) {
    const std::string sentence = error.what();
    return sentence.substr(sentence.find("map:", sentence.find(folder.root().string())) + 4);
  }
  return "";
}

CheckTable table_with_level(std::string_view level) {
  static constexpr std::array<VariantSpec, 1> variants = {VariantSpec{"plain", "", false}};
  return {"c", "t", "q", "r", {}, {}, variants, {}, level};
}

int wanted(std::string_view level, std::initializer_list<const char*> typed) {
  std::vector<const char*> arguments = {"c"};
  arguments.insert(arguments.end(), typed.begin(), typed.end());
  return wanted_thread_level(table_with_level(level), static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

TEST_CASE("rank maps") {
  CHECK(read_rank_map("", 3) == std::vector<int>{0, 1, 2});
  CHECK(read_rank_map("row", 3) == std::vector<int>{0, 1, 2});
  CHECK(read_rank_map("reversed", 3) == std::vector<int>{2, 1, 0});
  CHECK(read_rank_map("2x3", 6) == std::vector<int>{0, 2, 4, 1, 3, 5});
  CHECK(read_rank_map("2x1x3", 6) == std::vector<int>{0, 2, 4, 1, 3, 5});
  for (int place = 0; place < 60; ++place) {  // place (x, y, z) of 3 x 4 x 5
    const int x = place / 20, y = place / 5 % 4, z = place % 5;
    CHECK(read_rank_map("3x4x5", 60)[static_cast<std::size_t>(place)] == x + 3 * (y + 4 * z));
  }
  for (const std::string box : {"2x2", "65536x65536", "0x6"}) {
    try {
      read_rank_map(box, 6);
      FAIL("accepted");
    } catch (const UserError& error) {
      CHECK(std::string(error.what()).find("rank_map " + box + ": ") == 0);
    }
  }
  const testing::PlantedTree folder;
  folder.write("good", "# places of node 1\n2\n 0 # first\n\n1");
  CHECK(read_rank_map((folder.root() / "good").string(), 3) == std::vector<int>{2, 0, 1});
  CHECK(refusal(folder, "0\n1\n0", 3) == "3: rank 0 is there twice, first in line 1; each rank has one place");
  CHECK(refusal(folder, "0\n3\n1", 3) == "2: '3' is no rank; expected a number from 0 to 2");
  CHECK(refusal(folder, "0\n1x\n2", 3) == "2: '1x' is no rank; expected a number from 0 to 2");
  CHECK(refusal(folder, "0\n1", 3) == " 2 ranks, and the launch has 3; expected a line for each");
}

TEST_CASE("the thread level that a launch needs") {
  CHECK(wanted("", {}) == MPI_THREAD_SINGLE);
  CHECK(wanted("", {"--threads", "2"}) == MPI_THREAD_FUNNELED);
  CHECK(wanted("multiple", {}) == MPI_THREAD_MULTIPLE);
  CHECK(wanted("", {"--thread_level=serialized", "--threads", "4"}) == MPI_THREAD_SERIALIZED);
  CHECK(wanted("", {"--nonsense", "4"}) == MPI_THREAD_SINGLE);
  CHECK_NOTHROW(require_thread_level(MPI_THREAD_SINGLE, MPI_THREAD_SINGLE));
  CHECK_NOTHROW(require_thread_level(MPI_THREAD_FUNNELED, MPI_THREAD_MULTIPLE));
  try {
    require_thread_level(MPI_THREAD_MULTIPLE, MPI_THREAD_FUNNELED);
    FAIL("accepted");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::lacking);
    CHECK(std::string(error.what()) ==
          "this MPI offers thread level funneled, and this case needs multiple; use an MPI built with thread support");
  }
}

TEST_CASE("written pages are found on the memory nodes of this machine") {
  const std::size_t bytes = 64 << 20;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  const auto sampled = [] {
    std::int64_t pages = 0;
    const auto found = pages_by_node();
    if (!found) return std::int64_t{-1};
    for (const PagesOfNode& one : *found) pages += one.pages;
    return pages;
  };
  if (const std::int64_t before = sampled(); before < 0) {
    MESSAGE("this system does not tell where pages are");
  } else {
    std::memset(memory, 1, bytes);
    CHECK(sampled() > before);
  }
  CHECK(take_pages_from({5000}) == EINVAL);
  munmap(memory, bytes);
}

TEST_CASE("a table in a record, with a missing cell") {
  const Table table{"pairs", "us", Better::lower, {"a", "b"}, {"x", "y"}, {1.5, std::nullopt, 2.0, 0.25}};
  CHECK(table_line(table) ==
        "{\"type\":\"table\",\"name\":\"pairs\",\"unit\":\"us\",\"better\":\"lower\","
        "\"rows\":[\"a\",\"b\"],\"columns\":[\"x\",\"y\"],\"values\":[[1.5,null],[2,0.25]]}\n");
  Table curve = table;
  curve.form = Form::curves;
  CHECK(table_line(curve).find("\"better\":\"lower\",\"form\":\"curves\",") != std::string::npos);
  curve.form = Form::field;
  CHECK(table_line(curve).find("\"form\":\"field\"") != std::string::npos);
  curve.form = Form::ranks;
  CHECK(table_line(curve).find("\"form\":\"ranks\"") != std::string::npos);
  curve.form = Form::figures;
  CHECK(table_line(curve).find("\"form\":\"figures\"") != std::string::npos);
  Table wrong = table;
  wrong.values.pop_back();
  CHECK_THROWS_AS(table_line(wrong), std::logic_error);
}

TEST_CASE("the history of a solve: every iteration of a short one, 64 of a long one with its last") {
  const std::vector<double> few{3, 2, 1};
  const Table whole = history_table("h", "r", few);
  CHECK(whole.rows == std::vector<std::string>{"iteration 1", "iteration 2", "iteration 3"});
  CHECK(whole.values == std::vector<std::optional<double>>{3, 2, 1});
  std::vector<double> many(1305);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i + 1);
  const Table thinned = history_table("h", "r", many);
  CHECK(thinned.rows.size() == 64);
  CHECK(thinned.rows.back() == "iteration 1305");
  CHECK(thinned.values.front() == 20);
  CHECK(thinned.values.back() == 1305);
  CHECK(history_table("h", "r", {}).rows.empty());
}

TEST_CASE("a table that is too large keeps a summary and its worst cells") {
  Table table{"pairs", "GB/s", Better::higher, {}, {}, {}};
  for (int i = 0; i < 20; ++i) {
    table.rows.push_back("r" + std::to_string(i));
    table.columns.push_back("c" + std::to_string(i));
  }
  for (int cell = 0; cell < 400; ++cell) table.values.push_back(1000.0 + cell);
  table.values[7].reset();
  table.values[45] = 3.0;   // row 2, column 5
  table.values[399] = 2.0;  // row 19, column 19
  CHECK(table_line(table).find("summary") == std::string::npos);
  const std::string line = table_line(table, 2000);
  CHECK(line.size() <= 2000);
  CHECK(line.find("\"values\":null,\"summary\":{\"cells\":400,\"missing\":1,\"least\":2,\"median\":1199,"
                  "\"greatest\":1398,\"worst\":[{\"row\":19,\"column\":19,\"value\":2},"
                  "{\"row\":2,\"column\":5,\"value\":3},{\"row\":0,\"column\":0,\"value\":1000},"
                  "{\"row\":0,\"column\":1,\"value\":1001}]}}") != std::string::npos);
  table.better = Better::lower;
  CHECK(table_line(table, 2000).find("\"worst\":[{\"row\":19,\"column\":18,\"value\":1398}") != std::string::npos);
  CHECK(table_line(table, 2000).find("\"least\":2,\"median\":1199,\"greatest\":1398,") != std::string::npos);
}
