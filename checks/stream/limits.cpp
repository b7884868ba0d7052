#include "limits.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/error.hpp"

namespace stream {

namespace {

namespace fs = std::filesystem;

std::string line_of(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The kernel writes "32768K".
std::int64_t kibibytes(const std::string& text) { return text.ends_with('K') ? std::stoll(text) * 1024 : 0; }

std::string kib(std::int64_t bytes) { return std::to_string((bytes + 1023) / 1024) + "KiB"; }

}  // namespace

std::int64_t last_level_cache_bytes(const std::string& processors) {
  int last = 0;
  std::map<std::string, std::int64_t> caches;  // of level `last`, by the processors that share each
  std::error_code none;
  for (const fs::directory_entry& processor : fs::directory_iterator(processors, none)) {
    const std::string name = processor.path().filename();
    if (!name.starts_with("cpu") || name.size() < 4 || std::isdigit(static_cast<unsigned char>(name[3])) == 0) continue;
    for (const fs::directory_entry& index : fs::directory_iterator(processor.path() / "cache", none)) {
      const std::string level = line_of(index.path() / "level");
      if (level.empty() || line_of(index.path() / "type") == "Instruction" || std::stoi(level) < last) continue;
      if (std::stoi(level) > last) caches.clear();
      last = std::stoi(level);
      caches[line_of(index.path() / "shared_cpu_list")] = kibibytes(line_of(index.path() / "size"));
    }
  }
  std::int64_t sum = 0;
  for (const auto& [sharers, bytes] : caches) sum += bytes;
  return sum;
}

std::string refusal(std::int64_t size, int ranks, std::int64_t cache) {
  if (3 * size * ranks > cache) return "";
  return "three arrays of --size " + kib(size) + " on " + std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") +
         " of a node fit in its last-level cache of " + kib(cache) +
         ", so memory would not be measured; the smallest --size that works is " + kib(cache / (3 * ranks) + 1) +
         " (STREAM's rule asks for " + kib(4 * cache / ranks) + "), or set --in_cache true";
}

std::string refusal_on_card(std::int64_t size, const std::string& card, std::int64_t cache) {
  if (3 * size > cache) return "";
  return "three arrays of --size " + kib(size) + " fit in the cache of " + kib(cache) + " of " + card +
         ", so its memory would not be measured; the smallest --size that works is " + kib(cache / 3 + 1) +
         " (STREAM's rule asks for " + kib(4 * cache) + "), or set --in_cache true";
}

int passes_over(std::int64_t size, bool in_cache) {
  constexpr std::int64_t enough = 1 << 20;  // bytes of an array: some ten microseconds in the fastest cache
  return in_cache && size < enough ? static_cast<int>(enough / size) : 1;
}

bool require_sizes(std::int64_t size, bool allowed, int node_ranks, const std::vector<std::int64_t>& teams,
                   int threads) {
  const std::string largest = std::to_string(*std::max_element(teams.begin(), teams.end()));
  if (std::stoll(largest) > threads) tenken::refuse("--teams " + largest + " needs --threads " + largest + " or more");
  const std::string sentence = refusal(size, node_ranks, last_level_cache_bytes());
  if (!sentence.empty() && !allowed) tenken::refuse(sentence);
  return !sentence.empty();
}

}  // namespace stream
