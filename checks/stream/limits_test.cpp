#include "limits.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/parameters.hpp"

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t mebi = 1024 * 1024;

// A folder as /sys/devices/system/cpu: 4 processors, a 32 MiB cache for each pair.
class Processors {
 public:
  Processors() : root_(fs::temp_directory_path() / ("tenken-stream-" + std::to_string(getpid()))) {
    for (int cpu = 0; cpu < 4; ++cpu) {
      const std::string pair = cpu < 2 ? "0-1" : "2-3";
      add(cpu, 0, "1", "Data", std::to_string(cpu), "32K");
      add(cpu, 1, "1", "Instruction", std::to_string(cpu), "32K");
      add(cpu, 2, "3", "Unified", pair, "32768K");
      add(cpu, 3, "2", "Unified", std::to_string(cpu), "512K");
    }
    fs::create_directories(root_ / "cpufreq");
  }
  ~Processors() { fs::remove_all(root_); }
  std::string path() const { return root_; }

 private:
  void add(int cpu, int index, const char* level, const char* type, const std::string& sharers, const char* size) {
    const fs::path folder = root_ / ("cpu" + std::to_string(cpu)) / "cache" / ("index" + std::to_string(index));
    fs::create_directories(folder);
    std::ofstream(folder / "level") << level << "\n";
    std::ofstream(folder / "type") << type << "\n";
    std::ofstream(folder / "shared_cpu_list") << sharers << "\n";
    std::ofstream(folder / "size") << size << "\n";
  }
  fs::path root_;
};

}  // namespace

TEST_CASE("each cache of the last level counts once") {
  CHECK(stream::last_level_cache_bytes(Processors().path()) == 64 * mebi);
  CHECK(stream::last_level_cache_bytes("/nowhere") == 0);
}

TEST_CASE("a size that fits in the cache is refused, and the size that the sentence names is not") {
  CHECK(stream::refusal(11 * mebi, 1, 32 * mebi).empty());
  const std::string sentence = stream::refusal(10 * mebi, 1, 32 * mebi);
  CHECK(sentence.find("10240KiB on 1 rank") != std::string::npos);
  const std::string marker = "smallest --size that works is ";
  const auto at = sentence.find(marker) + marker.size();
  const std::string named = sentence.substr(at, sentence.find(' ', at) - at);
  const auto smallest = static_cast<std::int64_t>(tenken::parse_number("size", named));
  CHECK(stream::refusal(smallest, 1, 32 * mebi).empty());
  CHECK_FALSE(stream::refusal(smallest - 1024, 1, 32 * mebi).empty());
}

TEST_CASE("where the cache is not known nothing is refused") { CHECK(stream::refusal(4096, 1, 0).empty()); }

TEST_CASE("a team larger than the threads is refused") {
  CHECK_THROWS_AS(stream::require_sizes(std::int64_t{1} << 40, false, 1, {1, 3}, 2), tenken::UserError);
  CHECK_FALSE(stream::require_sizes(std::int64_t{1} << 40, false, 1, {1, 2}, 2));
}
