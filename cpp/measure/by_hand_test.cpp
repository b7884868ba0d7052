// What the expressions of check.toml mean in a program that runs by hand.
#include "measure/by_hand.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

using namespace tenken;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<ParameterSpec, 6> specs = {{
    {"start", ParameterType::choice, "hot", 0, 0, "hot|cold", 0, ""},
    {"lattice", ParameterType::integers, "4,4,4,8", 1, 64, "", 4, ""},
    {"file", ParameterType::path, "", 0, 0, "", 0, ""},
    {"in_cache", ParameterType::flag, "true", 0, 0, "", 0, ""},
    {"tolerance", ParameterType::real, "1e-8", 0, 1, "", 0, ""},
    {"size", ParameterType::bytes, "1MiB", 1, 1e12, "", 0, ""},
}};
constexpr std::array<VariantSpec, 1> variants = {VariantSpec{"plain", "", false}};
constexpr CheckTable table = {"made", "", "", "", specs, {}, variants, {}};

double limit(const char* expression, double stated = 1e300) {
  const std::array<const char*, 3> words = {"made", "--lattice", "4,4,4,16"};
  const Parameters parameters(table, static_cast<int>(words.size()), words.data());
  const std::vector<NamedValue> values = {{"deviation", "1", 0.25}, {"deviation", "1", 0.5}};
  return limit_of({"answer", no_number, expression, 0, 0, stated, false, ""}, {parameters, 2, 3, 40, values});
}

}  // namespace

TEST_CASE("names are parameters, counts and recorded values") {
  CHECK(limit("tolerance * in_cache") == 1e-8);
  CHECK(limit("start.hot + 2 * start.cold") == 1);
  CHECK(limit("lattice.0 * lattice.3") == 64);
  CHECK(limit("1 + file.given") == 1);
  CHECK(limit("size / 1KiB") == 1024);
  CHECK(limit("ranks + 10 * threads + 100 * repetitions") == 4032);
  CHECK(limit("deviation * 5") == 2.5);
  CHECK(limit("max(1e-12, start.cold * 5 * absent)") == 1e-12);
}

TEST_CASE("the stricter limit counts, and a limit without a value is none") {
  CHECK(limit("4", 3) == 3);
  CHECK(limit("4", 5) == 4);
  for (const char* expression : {"start", "lattice", "lattice.4", "absent", "start.cold.x * 1 / 0", "-1", "file"}) {
    CAPTURE(expression);
    CHECK(std::isnan(limit(expression)));
  }
  CHECK(std::isnan(limit("4", no_number)));
}
