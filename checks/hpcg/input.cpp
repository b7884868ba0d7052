#include "input.hpp"

#include <charconv>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/tree.hpp"

namespace tenken::hpcg {

namespace {

constexpr int least_cells = 16, most_cells = 65536, most_seconds = 10'000'000;

// The first `count` numbers of a line, each from `least` to `most` and a multiple of `step`.
std::vector<int> numbers(const std::vector<std::string>& lines, std::string_view file, std::size_t line,
                         std::size_t count, int least, int most, int step, std::string_view expected) {
  const std::string name = "--input " + std::string(file);
  if (lines.size() < line) {
    refuse(name + " ends at line " + std::to_string(lines.size()) + ", where line " + std::to_string(line) + " with " +
           std::string(expected) + " is expected");
  }
  std::vector<int> found;
  std::istringstream in(lines[line - 1]);
  while (found.size() < count) {
    std::string word;
    int value = 0;
    const bool there = static_cast<bool>(in >> word);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (!there || error != std::errc{} || end != word.data() + word.size() || value < least || value > most ||
        value % step != 0) {
      const std::string has = there ? "'" + printable(word.substr(0, 40)) + "'" : "too few numbers";
      refuse("line " + std::to_string(line) + " of " + name + " has " + has + " where " + std::string(expected) +
             " is expected");
    }
    found.push_back(value);
  }
  return found;
}

}  // namespace

Input read_input(std::string_view text, std::string_view file) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const std::vector<int> cells = numbers(lines, file, 3, 3, least_cells, most_cells, 8,
                                         "the cells nx ny nz of a rank (multiples of 8 from 16 to 65536)");
  const std::vector<int> seconds =
      numbers(lines, file, 4, 1, 0, most_seconds, 1, "the seconds of the timed part (0 to 10000000)");
  return {{cells[0], cells[1], cells[2]}, static_cast<double>(seconds[0])};
}

}  // namespace tenken::hpcg
