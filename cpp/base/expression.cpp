#include "base/expression.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace tenken {

namespace {

constexpr std::size_t longest = 240;
constexpr std::array<std::pair<std::string_view, double>, 7> units = {{{"KiB", 1024.0},
                                                                       {"MiB", 1048576.0},
                                                                       {"GiB", 1073741824.0},
                                                                       {"TiB", 1099511627776.0},
                                                                       {"kB", 1e3},
                                                                       {"MB", 1e6},
                                                                       {"GB", 1e9}}};

struct NoValue {};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

struct Token {
  enum class Kind { end, number, name, sign } kind = Kind::end;
  std::string_view text;
  double number = 0;
};

// A number that is needed: a missing one is not here.
double needed(const Operand& operand) {
  if (operand.missing) throw NoValue{};
  return operand.number;
}

Operand product_of(const Operand& left, const Operand& right) {
  if (right.missing && !left.missing && left.number == 0) return {0.0};
  return {needed(left) * needed(right)};
}

class Parser {
 public:
  Parser(std::string_view text, const std::function<std::optional<Operand>(std::string_view)>& value_of)
      : text_(text), value_of_(value_of) {
    if (text.size() > longest) throw NoValue{};
    advance();
  }

  double whole() {
    const double result = needed(sum());
    if (token_.kind != Token::Kind::end || !std::isfinite(result)) throw NoValue{};
    return result;
  }

 private:
  bool at_sign(char sign) const { return token_.kind == Token::Kind::sign && token_.text[0] == sign; }

  void expect(char sign) {
    if (!at_sign(sign)) throw NoValue{};
    advance();
  }

  std::size_t digits_from(std::size_t at) const {
    while (at < text_.size() && is_digit(text_[at])) ++at;
    return at;
  }
  bool digit_at(std::size_t at) const { return at < text_.size() && is_digit(text_[at]); }

  std::size_t end_of_number() const {
    std::size_t end = digits_from(position_);
    if (end < text_.size() && text_[end] == '.' && digit_at(end + 1)) end = digits_from(end + 1);
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      const bool sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
      const std::size_t exponent = end + (sign ? 2 : 1);
      if (digit_at(exponent)) end = digits_from(exponent);
    }
    return end;
  }

  std::size_t end_of_name() const {
    std::size_t end = position_;
    while (end < text_.size() &&
           (is_word(text_[end]) || (text_[end] == '.' && end + 1 < text_.size() && is_word(text_[end + 1])))) {
      ++end;
    }
    return end;
  }

  void take(Token::Kind kind, std::size_t end) {
    token_ = {kind, text_.substr(position_, end - position_)};
    position_ = end;
  }

  void advance() {
    while (position_ < text_.size() && is_space(text_[position_])) ++position_;
    if (position_ == text_.size()) {
      token_ = {};
      return;
    }
    const char first = text_[position_];
    if (is_digit(first)) {
      take(Token::Kind::number, end_of_number());
      token_.number = std::strtod(std::string(token_.text).c_str(), nullptr);
    } else if (is_letter(first)) {
      take(Token::Kind::name, end_of_name());
    } else if (std::string_view("+-*/%(),").find(first) != std::string_view::npos) {
      take(Token::Kind::sign, position_ + 1);
    } else {
      throw NoValue{};
    }
  }

  Operand sum() {
    Operand total = product();
    while (at_sign('+') || at_sign('-')) {
      const double sign = at_sign('+') ? 1 : -1;
      advance();
      total = {needed(total) + sign * needed(product())};
    }
    return total;
  }

  Operand product() {
    Operand result = factor();
    while (at_sign('*') || at_sign('/')) {
      const bool divide = at_sign('/');
      advance();
      const Operand other = factor();
      if (divide && needed(other) == 0) throw NoValue{};
      result = divide ? Operand{needed(result) / needed(other)} : product_of(result, other);
    }
    return result;
  }

  Operand factor() {
    const Token token = token_;
    advance();
    if (token.kind == Token::Kind::number) return number(token.number);
    if (token.kind == Token::Kind::name) return name(token.text);
    if (token.kind == Token::Kind::sign && token.text == "-") return {-needed(factor())};
    if (token.kind == Token::Kind::sign && token.text == "(") {
      const Operand result = sum();
      expect(')');
      return result;
    }
    throw NoValue{};
  }

  Operand number(double value) {
    if (token_.kind == Token::Kind::name) {
      for (const auto& [unit, size] : units) {
        if (unit == token_.text) {
          advance();
          return {value * size};
        }
      }
    }
    if (!at_sign('%')) return {value};
    advance();
    return {needed(product_of({value}, factor())) / 100};
  }

  Operand name(std::string_view text) {
    if (at_sign('(') && (text == "sqrt" || text == "max" || text == "min")) return function(text);
    const auto operand = value_of_(text);
    if (!operand) throw NoValue{};
    return *operand;
  }

  Operand function(std::string_view which) {
    expect('(');
    std::vector<Operand> arguments = {sum()};
    while (at_sign(',')) {
      advance();
      arguments.push_back(sum());
    }
    expect(')');
    if (which == "sqrt") {
      if (arguments.size() > 1 || needed(arguments[0]) < 0) throw NoValue{};
      return {std::sqrt(arguments[0].number)};
    }
    if (arguments.size() == 1) return arguments[0];
    double best = needed(arguments[0]);
    for (const Operand& one : arguments) {
      const double number = needed(one);
      if (which == "max" ? number > best : number < best) best = number;
    }
    return {best};
  }

  std::string_view text_;
  const std::function<std::optional<Operand>(std::string_view)>& value_of_;
  std::size_t position_ = 0;
  Token token_;
};

}  // namespace

double expression_value(std::string_view text,
                        const std::function<std::optional<Operand>(std::string_view)>& value_of) {
  try {
    return Parser(text, value_of).whole();
  } catch (const NoValue&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace tenken
