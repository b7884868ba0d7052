// Runs on 1 ranks.
#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

#include "measure/check.hpp"
#include "measure/thread_level.hpp"
#include "testing/plant.hpp"

using namespace tenken;

namespace {

bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  return text.find(part) != std::string::npos;
}

constexpr std::array<ParameterSpec, 7> parameters = {{
    {"n", ParameterType::integer, "100", 1, 1000, "", 0, ""},
    {"bytes", ParameterType::bytes, "2KiB", 1, 1e9, "", 0, ""},
    {"x", ParameterType::real, "0.5", 0, 1, "", 0, ""},
    {"on", ParameterType::flag, "true", 0, 0, "", 0, ""},
    {"order", ParameterType::choice, "row", 0, 0, "row|column", 0, ""},
    {"file", ParameterType::path, "a.txt", 0, 0, "", 0, ""},
    {"sizes", ParameterType::integers, "8,64", 1, 1000, "", 0, ""},
}};
constexpr std::array<SectionSpec, 4> sections = {{{"solve", Kind::compute, false, ""},
                                                  {"solve/sum", Kind::comm, true, "sizes"},
                                                  {"read", Kind::io, true, ""},
                                                  {"stand", Kind::wait, true, ""}}};
constexpr std::array<VariantSpec, 2> variants = {VariantSpec{"plain", "", false}, VariantSpec{"other", "", false}};

// The first line of the record of a check with these words.
std::string header(std::vector<std::string> typed) {
  const testing::PlantedTree folder;
  const std::string path = (folder.root() / "record").string();
  const CheckTable table{"made", "t", "q", "r", parameters, sections, variants, {}};
  const std::vector<std::string> where = {"made", "--record", path, "--repetitions", "1"};
  typed.insert(typed.begin(), where.begin(), where.end());
  std::vector<char*> argv;
  for (std::string& word : typed) argv.push_back(word.data());
  Check check(table, static_cast<int>(argv.size()), argv.data());
  check.library("blas", "some BLAS 1.2");
  check.repeat([](int) {});
  check.finish();
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

}  // namespace

TEST_CASE("the header of a record") {
  int ranks = 0, level = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > 1) return;
  MPI_Query_thread(&level);
  const std::string line = header({"--threads", "2"});
  holds(line, R"({"type":"header","schema":"tenken.record/1","check":"made","variant":"plain","parameters":{"n":100,)"
              R"("bytes":2048,"x":0.5,"on":true,"order":"row","file":"a.txt","sizes":[8,64]},"environment":{"name":)");
  holds(line, R"("libraries":{"blas":"some BLAS 1.2"}},"ranks":1,"threads":2,"clock":{"source":")");
  holds(line, R"("sections":[{"id":0,"path":"solve","kind":"compute","leaf":false,"of":"solve"},)"
              R"({"id":1,"path":"solve/sum/8","kind":"comm","leaf":true,"of":"solve/sum","at":8},)"
              R"({"id":2,"path":"solve/sum/64","kind":"comm","leaf":true,"of":"solve/sum","at":64},)"
              R"({"id":3,"path":"read","kind":"io","leaf":true,"of":"read"},)"
              R"({"id":4,"path":"stand","kind":"wait","leaf":true,"of":"stand"}],"fault":null,)"
              R"("placement":{"placement":"compact","membind":null,"rank_map":null,"reserve":0},"thread_level":")" +
                  std::string(thread_level_name(level)) + "\"");
  CHECK(line.find("\"launch\"") == std::string::npos);
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(version, &length);
  holds(line, "\"mpi\":\"" + std::string(version).substr(0, 12));
  const std::string other = header({"--fault", "delay", "--rank_map", "reversed", "--placement", "none", "--launch",
                                    "abc", "--on", "false", "--variant", "other"});
  holds(other, R"("variant":"other")");
  holds(other, R"("fault":"delay","placement":{"placement":"none","membind":null,"rank_map":"reversed","reserve":0})");
  holds(other, R"("on":false)");
  holds(other, R"("launch":"abc")");
}
