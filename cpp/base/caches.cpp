#include "base/caches.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace tenken {

namespace {

// "32768K" as the kernel writes it.
std::optional<std::int64_t> bytes_of(const std::optional<std::string>& size) {
  const auto number = size ? parse_number(*size) : std::nullopt;
  if (!number) return std::nullopt;
  const char unit = size->back();
  return *number * (unit == 'K' ? 1 << 10 : unit == 'M' ? 1 << 20 : unit == 'G' ? 1 << 30 : 1);
}

// Where a kernel says nothing of it, the hardware threads of the core.
std::vector<int> shared_by(const Tree& tree, const std::string& cpu, const std::string& cache) {
  auto cpus = tree.cpus_of(cache + "shared_cpu_map", cache + "shared_cpu_list");
  if (!cpus.empty()) return cpus;
  return tree.cpus_of(cpu + "/topology/thread_siblings", cpu + "/topology/thread_siblings_list");
}

bool reaches(const std::vector<int>& cpus, const Cache& cache) {
  return std::any_of(cpus.begin(), cpus.end(),
                     [&](int cpu) { return std::find(cache.cpus.begin(), cache.cpus.end(), cpu) != cache.cpus.end(); });
}

// More than any processor has of a cache for each of its cores: where a system shows more, as a virtual machine does of
// the whole socket's, processors that it does not show use the rest.
constexpr double most_a_processor = 32 << 20;

double bytes_told(const Cache& cache) {
  return std::min(static_cast<double>(*cache.bytes), most_a_processor * static_cast<double>(cache.cpus.size()));
}

bool holds_data(const Cache& cache) { return cache.type != "Instruction" && cache.bytes; }

double share_of_level(const std::vector<Cache>& caches, std::int64_t level, int threads, const std::vector<int>& own,
                      const std::vector<std::vector<int>>& all) {
  std::vector<double> shares;
  for (const Cache& one : caches) {
    if (one.level != level || !holds_data(one) || !reaches(own, one)) continue;
    const auto ranks = std::count_if(all.begin(), all.end(), [&](const auto& cpus) { return reaches(cpus, one); });
    shares.push_back(bytes_told(one) / static_cast<double>(std::max<std::ptrdiff_t>(ranks, 1)));
  }
  std::sort(shares.begin(), shares.end(), std::greater<>());
  double sum = 0;
  for (std::size_t i = 0; i < shares.size() && i < static_cast<std::size_t>(threads); ++i) sum += shares[i];
  return sum;
}

}  // namespace

std::vector<Cache> read_caches(const Tree& tree, const std::vector<int>& cpus) {
  std::map<std::tuple<std::int64_t, std::string, std::vector<int>>, Cache> distinct;
  for (const int cpu : cpus) {
    const auto of_cpu = "/sys/devices/system/cpu/cpu" + std::to_string(cpu), folder = of_cpu + "/cache";
    for (const int index : tree.numbered(folder, "index")) {
      const auto at = folder + "/index" + std::to_string(index) + "/";
      const auto level = tree.number(at + "level");
      if (!level) continue;
      Cache cache{*level,
                  tree.text(at + "type").value_or("Unified"),
                  shared_by(tree, of_cpu, at),
                  bytes_of(tree.text(at + "size")),
                  tree.number(at + "coherency_line_size"),
                  tree.number(at + "ways_of_associativity")};
      if (cache.cpus.empty()) cache.cpus = {cpu};
      const auto key = std::tuple(cache.level, cache.type, cache.cpus);
      distinct.emplace(key, std::move(cache));
    }
  }
  std::vector<Cache> caches;
  for (auto& [key, cache] : distinct) caches.push_back(std::move(cache));
  return caches;
}

CacheShare cache_share(const std::vector<Cache>& caches, int threads, const std::vector<int>& own,
                       const std::vector<std::vector<int>>& all) {
  std::int64_t last = 0;
  double second = 0;
  for (const Cache& one : caches) {
    if (!holds_data(one) || !reaches(own, one)) continue;
    last = std::max(last, one.level);
    if (one.level == 2 && (second == 0 || bytes_told(one) < second)) second = bytes_told(one);
  }
  return {share_of_level(caches, 2, threads, own, all), share_of_level(caches, last, threads, own, all), second};
}

}  // namespace tenken
