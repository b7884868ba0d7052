#include "measure/by_hand.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string_view>

#include "base/expression.hpp"

namespace tenken {

namespace {

// Whether the name is that of a parameter, and its value.
std::optional<double> of_parameter(const Parameters& parameters, const ParameterSpec& spec, std::string_view part) {
  const auto name = spec.name;
  switch (spec.type) {
    case ParameterType::choice:
    case ParameterType::path: {
      if (part.empty()) return std::nullopt;
      const std::string& text = parameters.text(name);
      return part == "given" ? !text.empty() : text == part;
    }
    case ParameterType::integers: {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
      const auto numbers = parameters.integers(name);
      if (part.empty() || error != std::errc() || end != part.data() + part.size() || index >= numbers.size())
        return std::nullopt;
      return static_cast<double>(numbers[index]);
    }
    case ParameterType::flag:
      return part.empty() ? std::optional<double>(parameters.flag(name)) : std::nullopt;
    case ParameterType::real:
      return part.empty() ? std::optional<double>(parameters.real(name)) : std::nullopt;
    case ParameterType::integer:
    case ParameterType::bytes:
      return part.empty() ? std::optional<double>(static_cast<double>(parameters.integer(name))) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> of_launch(const Named& named, std::string_view name) {
  if (name == "ranks") return named.ranks;
  if (name == "threads") return named.threads;
  if (name == "repetitions") return named.repetitions;
  // Of a value that is recorded twice the last counts, as in the judge.
  const auto found =
      std::find_if(named.values.rbegin(), named.values.rend(), [&](const NamedValue& one) { return one.name == name; });
  return found == named.values.rend() ? std::nullopt : std::optional<double>(found->value);
}

std::optional<Operand> value_of(const Named& named, std::string_view name) {
  const auto dot = name.find('.');
  const auto part = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  for (const ParameterSpec& spec : named.parameters.own()) {
    if (spec.name != name.substr(0, dot)) continue;
    if (const auto number = of_parameter(named.parameters, spec, part)) return Operand{*number};
    if (part.empty()) return std::nullopt;
  }
  if (const auto number = of_launch(named, name)) return Operand{*number};
  return part.empty() ? std::optional<Operand>(Operand{.missing = true}) : std::nullopt;
}

std::string short_number(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return text;
}

bool holds(const Proof& proof, double limit) {
  if (!std::isfinite(proof.value) || !std::isfinite(proof.expected) || !std::isfinite(limit)) return false;
  return proof.near ? std::abs(proof.value - proof.expected) <= limit : proof.value <= limit;
}

std::string should(const Proof& proof, double limit) {
  if (!std::isfinite(limit)) {
    const std::string what = proof.expression.empty() ? "" : " '" + proof.expression + "'";
    return "its limit" + what + " has no value here";
  }
  if (!proof.near) return "should be at most " + short_number(limit, 3);
  return "should be " + short_number(proof.expected, 6) + " within " + short_number(limit, 3);
}

}  // namespace

double limit_of(const Proof& proof, const Named& named) {
  const auto name_value = [&](std::string_view name) { return value_of(named, name); };
  const double tolerance = proof.expression.empty() ? proof.tolerance : expression_value(proof.expression, name_value);
  if (!(tolerance >= 0) || std::isinf(tolerance)) return std::numeric_limits<double>::quiet_NaN();
  return std::isfinite(proof.limit) ? std::min(tolerance, proof.limit) : proof.limit;
}

namespace {

ByHand proofs_in_words(const std::vector<Proof>& proofs, const Named& named) {
  std::string right;
  std::string wrong;
  for (const Proof& proof : proofs) {
    const double limit = limit_of(proof, named);
    const std::string sentence = proof.name + " is " + short_number(proof.value, 6) + ", " + should(proof, limit);
    if (holds(proof, limit)) {
      right += "right    " + sentence + "\n";
    } else {
      wrong += "INVALID  wrong answer: " + sentence + " (" + proof.source + ")\n";
    }
  }
  return {wrong.empty(), wrong + right};
}

std::string values_in_words(const std::vector<NamedValue>& values, bool right) {
  std::string text;
  for (const NamedValue& one : values) {
    const bool count = one.unit == "1";
    if (one.unit == "flag") {
      text += "value    " + one.name + " is " + (one.value != 0 ? "yes" : "no") + "\n";
      continue;
    }
    if (right || count) text += "value    " + one.name + " is " + short_number(one.value, 10);
    if (right && !count) text += " " + one.unit;
    if (right || count) text += "\n";
  }
  return text;
}

}  // namespace

ByHand answer_by_hand(const std::vector<Proof>& proofs, const Named& named, const std::string& rates,
                      const std::string& tables) {
  ByHand answer = proofs_in_words(proofs, named);
  if (answer.right) answer.text += rates;
  answer.text += values_in_words(named.values, answer.right);
  if (answer.right) answer.text += tables;
  return answer;
}

}  // namespace tenken
