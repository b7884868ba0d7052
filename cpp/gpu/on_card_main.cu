// The kernels of the tests on a card, against loops; ends with code 77, "skipped", where there is no card.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "gpu/kernels_for_tests.hpp"
#include "gpu/reduce.hpp"
#include "gpu/stopwatch.hpp"

namespace {

using namespace tenken::gpu;

int failures = 0;

void expect_true(bool good, const char* what) {
  if (good) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

void test_items() {
  for (const std::int64_t n : {1, 31, 32, 33, 100000}) {
    for (const int blocks : {1, 7, 200}) {
      CardBuffer<int> visits(static_cast<std::size_t>(n) + 1, "a test");
      visits.clear();
      launch(blocks, Count{visits.data(), n});
      std::vector<int> host(visits.size());
      visits.to_host(host.data());
      expect_true(std::accumulate(host.begin(), host.end(), std::int64_t{0}) == n, "every item is visited");
      expect_true(host[0] == 1 && host.back() == 0, "every item is visited once");
    }
  }
}

void test_phases() {
  std::vector<int> values(24);
  std::iota(values.begin(), values.end(), 0);
  CardBuffer<int> in(24, "a test"), out(24, "a test");
  in.from_host(values.data());
  launch_phases(3, Turn{in.data(), out.data()});
  out.to_host(values.data());
  for (int i = 0; i < 24; ++i)
    expect_true(values[static_cast<std::size_t>(i)] == i / 8 * 8 + 7 - i % 8, "phases follow each other");
}

void test_sums() {
  for (const int blocks : {1, 2, 3, 16, 17, 100, 1000}) {
    Reduction<Pair> reduction(blocks);
    const std::int64_t n = 100003;
    const Pair all = reduction(blocks, Numbers{n});
    expect_true(all.count == n && all.sum == n * (n - 1) * (2 * n - 1) / 6, "a reduction combines every value once");
  }
  std::vector<double> x(1000007);
  double exact = 0;
  for (std::size_t i = 0; i < x.size(); ++i) exact += x[i] = std::sin(static_cast<double>(i));
  CardBuffer<double> on_card(x.size(), "a test");
  on_card.from_host(x.data());
  Reduction<double> sum(500);
  const Sum<256> kernel{on_card.data(), static_cast<std::int64_t>(x.size())};
  const double first = sum(500, kernel);
  for (int i = 0; i < 20; ++i) expect_true(sum(500, kernel) == first, "a sum has the same bits every time");
  expect_true(std::abs(first - exact) < 1e-8, "a sum is right");
}

}  // namespace

int main() {
  try {
    use(cards().front().index);
  } catch (const tenken::UserError& error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  try {
    test_items();
    test_phases();
    test_sums();
    const SectionCost cost = section_cost();
    const Facts card = facts();
    std::printf("%s: a section by events costs %.0f ns of the host and shows %.0f ns; clocks agree to %.1e\n",
                card.name.c_str(), cost.host_ns, cost.card_ns, std::abs(cost.ratio - 1));
  } catch (const tenken::UserError& error) {
    std::printf("wrong: %s\n", error.what());
    return 1;
  }
  if (failures == 0) std::printf("all right\n");
  return failures == 0 ? 0 : 1;
}
