#include "base/toml.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.hpp"

namespace tenken {

// Goes through the text once.
class Toml::Reader {
 public:
  Reader(Toml& toml, std::string_view text) : toml_(toml), text_(text) {}

  void read() {
    std::string table;
    std::set<std::string> seen;
    for (skip_lines(); at_ < text_.size(); skip_lines()) {
      if (take("[[")) {
        const std::string name = key();
        if (seen.contains(name)) fail("[[" + name + "]] is a table already");
        table = name + "." + std::to_string(toml_.tables_[name]++) + ".";
        expect("]]");
      } else if (take("[")) {
        const std::string name = key();
        if (!seen.insert(name).second || toml_.tables_.contains(name)) fail("[" + name + "] is there twice");
        table = name + ".";
        expect("]");
      } else {
        const int line = line_;
        const std::string name = table + key();
        expect("=");
        if (!toml_.values_.emplace(name, Value{value(), line}).second) fail("'" + name + "' is there twice");
      }
      end_of_line();
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { toml_.wrong(line_, what); }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
    if (at_ < text_.size() && text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }
  void skip_lines() {
    for (skip_blanks(); at_ < text_.size() && text_[at_] == '\n'; skip_blanks()) {
      ++at_;
      ++line_;
    }
  }
  bool take(std::string_view what) {
    skip_blanks();
    if (text_.substr(at_, what.size()) != what) return false;
    at_ += what.size();
    return true;
  }
  void expect(std::string_view what) {
    if (!take(what)) fail("'" + std::string(what) + "' was expected");
  }
  void end_of_line() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] != '\n') fail("nothing more was expected");
  }

  std::string key() {
    skip_blanks();
    const std::size_t first = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '-'))
      ++at_;
    if (at_ == first) fail("a name was expected");
    return std::string(text_.substr(first, at_ - first));
  }

  decltype(Value::is) value() {
    skip_blanks();
    if (take("\"")) return quoted();
    if (take("true")) return true;
    if (take("false")) return false;
    if (!take("[")) return number();
    skip_lines();
    if (text_.substr(at_, 1) != "[") return numbers();
    Rows rows;
    do {
      skip_lines();
      if (text_.substr(at_, 1) == "]") break;
      expect("[");
      rows.push_back(numbers());
      skip_lines();
    } while (take(","));
    expect("]");
    return rows;
  }

  std::string quoted() {
    const std::size_t end = text_.find_first_of("\"\\\n", at_);
    if (end == std::string_view::npos || text_[end] != '"')
      fail("a word in quotes must end on its line and contain no \\");
    const std::string word(text_.substr(at_, end - at_));
    at_ = end + 1;
    return word;
  }

  // After its bracket.
  Numbers numbers() {
    Numbers all;
    do {
      skip_lines();
      if (text_.substr(at_, 1) == "]") break;
      all.push_back(number());
      skip_lines();
    } while (take(","));
    expect("]");
    return all;
  }

  double number() {
    skip_blanks();
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n,]#", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || stop != digits.data() + digits.size() || !std::isfinite(value))
      fail("a number, a word in quotes, true, false or an array of numbers was expected");
    at_ = end;
    return value;
  }

  Toml& toml_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

Toml::Toml(std::string_view text, std::string source) : source_(std::move(source)) { Reader(*this, text).read(); }

Toml Toml::from_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) refuse("input '" + path + "' cannot be read; state a TOML file with contents");
  return Toml(text.str(), path);
}

void Toml::wrong(int line, const std::string& what) const {
  refuse("'" + source_ + "', line " + std::to_string(line) + ": " + what + "; mend the file");
}

template <class T>
const T* Toml::find(const std::string& key, const char* wanted) const {
  const auto found = values_.find(key);
  if (found == values_.end()) return nullptr;
  found->second.read = true;
  const T* const value = std::get_if<T>(&found->second.is);
  if (value == nullptr) wrong(found->second.line, "'" + key + "' must be " + wanted);
  return value;
}

std::optional<double> Toml::number(const std::string& key) const {
  const auto* const value = find<double>(key, "a number");
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::string> Toml::word(const std::string& key) const {
  const auto* const value = find<std::string>(key, "a word in quotes");
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<bool> Toml::flag(const std::string& key) const {
  const auto* const value = find<bool>(key, "true or false");
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::vector<double>> Toml::numbers(const std::string& key, std::size_t size) const {
  const auto* const value = find<Numbers>(key, "an array of numbers");
  if (value == nullptr) return std::nullopt;
  if (size > 0 && value->size() != size)
    wrong(values_.at(key).line, "'" + key + "' must be an array of " + std::to_string(size) + " numbers");
  return *value;
}

std::optional<std::vector<std::vector<double>>> Toml::rows(const std::string& key) const {
  const auto found = values_.find(key);
  if (found != values_.end() && !std::holds_alternative<Rows>(found->second.is)) return std::nullopt;
  const auto* const value = find<Rows>(key, "an array of arrays");
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::size_t Toml::tables(const std::string& name) const {
  const auto found = tables_.find(name);
  return found == tables_.end() ? 0 : found->second;
}

void Toml::require_all_read() const {
  for (const auto& [key, value] : values_) {
    if (!value.read) wrong(value.line, "'" + key + "' is not known");
  }
}

}  // namespace tenken
