#include "pairs.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "places.hpp"

namespace core_pingpong {
namespace {

TEST_CASE("every pair meets once, and neighbours in time share no thread where there are enough") {
  for (const int n : {2, 3, 4, 7, 8, 64}) {
    std::vector<int> threads;
    for (int i = 0; i < n; ++i) threads.push_back(3 * i);
    const std::vector<Pair> pairs = all_pairs(threads);
    std::set<std::pair<int, int>> met;
    for (const Pair& pair : pairs) {
      CHECK(pair.first < pair.second);
      CHECK(pair.first % 3 == 0);
      CHECK(pair.second <= 3 * (n - 1));
      met.insert({pair.first, pair.second});
    }
    CHECK(met.size() == pairs.size());
    CHECK(pairs.size() == static_cast<std::size_t>(n * (n - 1) / 2));
  }
  const std::vector<Pair> of_four = all_pairs({0, 1, 2, 3});
  const std::set<int> round{of_four[0].first, of_four[0].second, of_four[1].first, of_four[1].second};
  CHECK(round.size() == 4);
}

TEST_CASE("of more cores than may take part those are taken that are spread evenly") {
  CHECK(taking_part(4, 128) == std::vector<int>{0, 1, 2, 3});
  CHECK(taking_part(9, 3) == std::vector<int>{0, 4, 8});
  CHECK(taking_part(256, 128).back() == 255);
  CHECK(std::set<int>{[] {
          const auto t = taking_part(200, 128);
          return std::set<int>(t.begin(), t.end());
        }()}
            .size() == 128);
}

TEST_CASE("best and median of samples, and of what was never measured none") {
  Samples samples(2);
  for (const double ns : {90.0, 50.0, 70.0}) samples.add(0, ns);
  CHECK(samples.best(0) == 50);
  CHECK(samples.median(0) == 70);
  CHECK(std::isnan(samples.median(1)));
  CHECK(std::isnan(samples.best(1)));
  CHECK(samples.median_of_pairs(true) == 50);
}

TEST_CASE("a processor is placed by what the kernel tells: socket, shared cache, core") {
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("core_pingpong_" + std::to_string(getpid()));
  const auto put = [&](const std::string& name, const std::string& text) {
    const std::filesystem::path file = root / "sys/devices/system/cpu" / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  };
  put("cpu5/topology/physical_package_id", "1");
  put("cpu5/topology/thread_siblings_list", "5,13");
  put("cpu5/cache/index0/level", "1");
  put("cpu5/cache/index0/shared_cpu_list", "5,13");
  put("cpu5/cache/index1/level", "3");
  put("cpu5/cache/index1/shared_cpu_list", "4-7,12-15");
  CHECK(place_of(tenken::Tree(root), 5) == "1.4.5.5");
  CHECK(place_of(tenken::Tree(root), 6) == "0.6.6.6");
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace core_pingpong
