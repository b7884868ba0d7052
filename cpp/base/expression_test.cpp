// The cases that the judge must answer alike: tests/expressions.tsv.
#include "base/expression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <string>

using namespace tenken;

namespace {

const std::map<std::string, double, std::less<>> numbers = {
    {"half", 0.5},    {"two", 2},       {"zero", 0},       {"lattice.0", 4},
    {"lattice.1", 8}, {"start.hot", 1}, {"start.cold", 0}, {"file.given", 0},
};

std::optional<Operand> value_of(std::string_view name) {
  if (const auto known = numbers.find(name); known != numbers.end()) return Operand{known->second};
  if (name == "start" || name.find('.') != std::string_view::npos) return std::nullopt;
  return Operand{.missing = true};
}

}  // namespace

TEST_CASE("an expression has the value that the judge gives it") {
  std::ifstream table(EXPRESSIONS);
  int cases = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("#")) continue;
    const std::string text = line.substr(0, line.find('\t'));
    const std::string expected = line.substr(line.find('\t') + 1);
    CAPTURE(text);
    const double value = expression_value(text, value_of);
    if (expected == "none") {
      CHECK(std::isnan(value));
    } else {
      CHECK(value == doctest::Approx(std::stod(expected)).epsilon(1e-15));
    }
    ++cases;
  }
  CHECK(cases > 40);
}

TEST_CASE("a long text and deep brackets have an answer") {
  CHECK(std::isnan(expression_value(std::string(5000, '9'), value_of)));
  CHECK(std::isnan(expression_value(std::string(240, '('), value_of)));
  CHECK(expression_value(std::string(100, '(') + "1" + std::string(100, ')'), value_of) == 1);
}
