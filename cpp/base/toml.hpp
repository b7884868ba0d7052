// The part of TOML that inputs of checks need, read by the program itself, because a check runs by hand as well as
// under the launcher: tables [name], arrays of tables [[name]], and keys whose value is a number, a word in quotes,
// true or false, or an array of numbers, or of such arrays. Anything else of TOML is refused, with its line.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tenken {

class Toml {
 public:
  // source: a name for messages
  Toml(std::string_view text, std::string source);
  // Throws UserError where the file cannot be read.
  static Toml from_file(const std::string& path);

  // "key", "table.key" or "table.0.key" (the first of an array of tables). Empty where the file has none; throws
  // UserError where it is of another type.
  std::optional<double> number(const std::string& key) const;
  std::optional<std::string> word(const std::string& key) const;
  std::optional<bool> flag(const std::string& key) const;
  // size 0: any. rows() is empty, too, where there is an array of plain numbers.
  std::optional<std::vector<double>> numbers(const std::string& key, std::size_t size = 0) const;
  std::optional<std::vector<std::vector<double>>> rows(const std::string& key) const;

  // How many tables [[name]] there are.
  std::size_t tables(const std::string& name) const;

  const std::string& source() const { return source_; }
  // Throws UserError naming the first key that nobody asked for.
  void require_all_read() const;

 private:
  using Numbers = std::vector<double>;
  using Rows = std::vector<Numbers>;
  struct Value {
    std::variant<double, std::string, bool, Numbers, Rows> is;
    int line;
    mutable bool read = false;
  };
  class Reader;

  template <class T>
  const T* find(const std::string& key, const char* wanted) const;
  [[noreturn]] void wrong(int line, const std::string& what) const;

  std::string source_;
  std::map<std::string, Value> values_;
  std::map<std::string, std::size_t> tables_;
};

}  // namespace tenken
