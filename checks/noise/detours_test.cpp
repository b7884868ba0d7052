#include "detours.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "cores.hpp"
#include "kernel.hpp"

namespace noise {
namespace {

constexpr double five_seconds = 5e6;

std::vector<Detour> beats(double hertz, double length, double from = 137) {
  std::vector<Detour> made;
  for (double at = from; at < five_seconds; at += 1e6 / hertz) made.push_back({at, length});
  return made;
}

// Jitter of a quantum on the time of each beat, 10 % on its length, and some beats missed.
std::vector<Detour> blurred(std::vector<Detour> made, std::uint64_t seed, double missed) {
  const tenken::RandomStream chance(seed, 0);
  std::vector<Detour> kept;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (chance.uniform(3 * i) < missed) continue;
    kept.push_back(
        {made[i].at + 20 * chance.uniform(3 * i + 1), made[i].length * (0.95 + 0.1 * chance.uniform(3 * i + 2))});
  }
  return kept;
}

std::vector<Detour> at_random(int count, double length, std::uint64_t seed) {
  const tenken::RandomStream chance(seed, 1);
  std::vector<Detour> made;
  for (int i = 0; i < count; ++i) {
    const auto k = static_cast<std::uint64_t>(2 * i);
    made.push_back({five_seconds * chance.uniform(k), length * std::exp2(3 * chance.uniform(k + 1))});
  }
  return made;
}

std::vector<Detour> together(std::vector<Detour> one, const std::vector<Detour>& other) {
  one.insert(one.end(), other.begin(), other.end());
  std::sort(one.begin(), one.end(), [](const Detour& a, const Detour& b) { return a.at < b.at; });
  return one;
}

TEST_CASE("the chain of multiplications equals its twin") {
  for (const std::int64_t steps : {0, 1, 2, 63, 64, 1000}) CHECK(work(steps) == plain_power(steps));
  CHECK(work(10) != work(11));
}

TEST_CASE("a quantum that is longer than the median by the least is a detour") {
  const std::vector<double> took{20, 20.2, 70, 20, 21.1, 20, 19.9};
  const std::vector<double> at{0, 20, 40, 110, 130, 151, 171};
  std::vector<Detour> found;
  CHECK(find_detours(at, took, 1, found) == 20);
  REQUIRE(found.size() == 2);
  CHECK(found[0].at == 40);
  CHECK(found[0].length == 50);
  CHECK(found[1].at == 130);
  CHECK(bin_of(0.5) == 0);
  CHECK(bin_of(50) == 5);
  CHECK(bin_of(64) == 6);
  CHECK(bin_of(1e9) == bins - 1);
}

TEST_CASE("detours of 50 us at 100 Hz are found and named, among ticks and chance, with beats missed") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    for (const double missed : {0.0, 0.3, 0.6}) {
      const auto all =
          together(together(blurred(beats(100, 50), seed, missed), blurred(beats(250, 4, 999), seed + 9, missed)),
                   at_random(60, 20, seed));
      const std::vector<Period> found = find_periods(all, five_seconds);
      const auto planted = std::find_if(found.begin(), found.end(), [](const Period& one) { return one.length > 30; });
      REQUIRE(planted != found.end());
      CHECK(std::abs(planted->hertz - 100) < 0.5);
      CHECK(std::abs(planted->length - 50) < 5);
      const auto tick = std::find_if(found.begin(), found.end(), [](const Period& one) { return one.length < 10; });
      REQUIRE(tick != found.end());
      CHECK(std::abs(tick->hertz - 250) < 1);
      CHECK(found.size() == 2);
    }
  }
}

TEST_CASE("chance has no rhythm") {
  int blamed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    blamed += find_periods(together(at_random(500, 10, seed), {}), five_seconds).empty() ? 0 : 1;
    blamed += find_periods(together(at_random(12, 10, seed), {}), five_seconds).empty() ? 0 : 1;
  }
  CHECK(blamed == 0);
  CHECK(find_periods({}, five_seconds).empty());
}

TEST_CASE("a planted rhythm makes quanta on the last core longer, each time, by at least what was planted") {
  Cores cores(2, 20, 40, {1000, 500});
  cores.forget();
  for (int batch = 0; batch < 3; ++batch) {
    cores.batch();
    cores.take_over();
  }
  CHECK(cores.wrong() == 0);
  const tenken::Table rates = cores.rates();
  REQUIRE(rates.values.size() == 2 * bins);
  double planted = 0;
  for (int bin = bin_of(500); bin < bins; ++bin) planted += rates.values[static_cast<std::size_t>(bins + bin)].value();
  CHECK(planted > 0);
  CHECK(cores.lost_share() > 0);
  CHECK(cores.lost_share() < 1);
  CHECK(cores.seconds()[0] > 0);
  cores.forget();
  CHECK(cores.detours_per_second() == 0);
}

}  // namespace
}  // namespace noise
