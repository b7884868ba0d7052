// A made-up check for tests of what every check does: with its words, in a folder of its ranks.
#pragma once

#include <doctest/doctest.h>
#include <sched.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "measure/check.hpp"
#include "testing/plant.hpp"

namespace tenken::testing {

inline constexpr std::array<ParameterSpec, 1> parameters = {
    {{"sizes", ParameterType::integers, "8,64", 1, 1000, "", 0, ""}}};
inline constexpr std::array<SectionSpec, 3> sections = {
    {{"work", Kind::compute, true, ""}, {"list", Kind::comm, true, "sizes"}, {"setup", Kind::io, true, ""}}};
inline constexpr Leaf work{0}, list{1}, setup{2};
inline constexpr std::array<VariantSpec, 2> variants = {VariantSpec{"plain", "", false}, VariantSpec{"card", "", true}};
inline constexpr ValiditySpec proof{"sum", 1e-9, "a book"};
inline CheckTable table = {"made", "t", "q", "r", parameters, sections, variants, {}};

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
  PlantedTree planted_;
  std::vector<std::string> words_;
  std::vector<char*> argv_;
  cpu_set_t allowed_{};
  int rank_ = 0;
};

inline bool holds(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  return true;
}

// The numbers of `"key":[...]` behind `start`.
inline std::vector<double> numbers(const std::string& text, const std::string& start, const std::string& key) {
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

inline std::string refusal(ExitCode code, auto&& call) {
  try {
    call();
  } catch (const UserError& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  return "";
}

}  // namespace tenken::testing
