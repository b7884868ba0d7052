#include "measure/many_ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

using namespace tenken;

namespace {

// A launch of one section in which every rank has the same samples but for a small part of its own.
struct Launch {
  ManyRanks all;

  Launch(int ranks, int repetitions, double median, double part) {
    all.ranks = ranks;
    all.sections = 1;
    all.rows = Page::first_repetition_row + repetitions;
    all.repeated = {1};
    all.most_samples_of_a_rank = repetitions;
    all.slowest.assign(static_cast<std::size_t>(all.rows), {static_cast<long>(median), 0});
    all.calls.assign(static_cast<std::size_t>(all.rows), 1);
    all.work.assign(4 * static_cast<std::size_t>(all.rows), 0);
    for (int rank = 0; rank < ranks; ++rank) {
      RankFigures one;
      one.count = repetitions;
      one.median = median * (1 + part * (rank % 5));
      one.sum = one.count * one.median;
      one.mad = 0.01 * one.median;
      all.figures.push_back(one);
    }
  }
};

}  // namespace

TEST_CASE("figures of samples whose order statistics are known") {
  // 0 to 100 in another order: quantiles are the numbers themselves.
  std::vector<double> ns;
  for (int i = 0; i <= 100; ++i) ns.push_back(i * 37 % 101);
  const RankFigures found = figures_of(ns);
  CHECK(found.count == 101);
  CHECK(found.sum == 5050);
  CHECK(found.median == 50);
  CHECK(found.mad == 25);
  CHECK(found.least == 0);
  CHECK(found.low == doctest::Approx(10));
  CHECK(found.high == doctest::Approx(90));
  CHECK(found.outlying == 0);
  CHECK(found.loss() == doctest::Approx(0));
  const std::vector<double> two{4, 6};
  CHECK(figures_of(two).median == 5);
  CHECK(figures_of(two).low == doctest::Approx(4.2));
  const std::vector<double> one{4};
  CHECK(figures_of(one).median == 4);
  CHECK(figures_of(one).memory == 0);
}

TEST_CASE("what outliers show, what the median does not see, and the memory of a wave") {
  std::vector<double> ns(100, 1000.0);
  for (std::size_t i = 0; i < ns.size(); ++i) ns[i] += i % 2 == 0 ? 1 : -1;
  ns[10] = ns[60] = 3001;
  const RankFigures found = figures_of(ns);
  CHECK(found.outlying == doctest::Approx(2 * (3001 - found.median)));
  CHECK(found.loss() == doctest::Approx(found.sum / (100 * found.median) - 1));
  CHECK(found.loss() > 0.03);
  std::vector<double> wave;
  for (int i = 0; i < 400; ++i) wave.push_back(1000 + 10 * std::sin(2 * std::numbers::pi * i / 40));
  CHECK(figures_of(wave).memory == doctest::Approx(std::cos(2 * std::numbers::pi / 40)).epsilon(0.01));
  CHECK(figures_of(ns).memory < -0.5);  // two outliers do not hide that the others alternate
}

TEST_CASE("ranks far above the others stand out by median, loss or jitter, the slowest of a section always") {
  Launch launch(200, 10, 1e6, 1e-4);
  CHECK(standing_out(launch.all) == std::vector<int>{4});
  launch.all.figures[50].median *= 1.2;
  launch.all.figures[50].sum *= 1.2;
  launch.all.figures[120].sum *= 1.1;
  launch.all.figures[7].mad *= 10;
  CHECK(standing_out(launch.all) == std::vector<int>{7, 50, 120});
  CHECK(standing_out(launch.all, 20) == std::vector<int>{50, 120});  // room for two: the slowest, then the farthest
  CHECK(standing_out(launch.all, 1) == std::vector<int>{50});
}

TEST_CASE("ranks that never entered a section are left out of its summary") {
  Launch launch(3, 2, 1000, 0);
  launch.all.figures[1] = {};
  const std::string line = summary_lines(launch.all);
  CHECK(line.find(R"("rank":[0,2],"count":[2,2],"sum_ns":[2000,2000],"median_ns":[1000,1000])") != std::string::npos);
  CHECK(line.find(R"("repetition":[0,1],"calls":[1,1],"ns":[1000,1000],"slowest":[0,0])") != std::string::npos);
  launch.all.slowest.assign(launch.all.slowest.size(), {});
  CHECK(summary_lines(launch.all).empty());
}
