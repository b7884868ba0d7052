#include "numerics/matrix_market.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <vector>

#include "base/error.hpp"

namespace tenken {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::int64_t shortest_entry = 6;  // "1 1 1" and the end of its line
constexpr std::size_t most_shown = 40;

enum class Symmetry { general, symmetric, skew };

std::string shown(std::string_view text) {
  std::string out(text.substr(0, most_shown));
  for (char& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return "'" + out + (text.size() > most_shown ? "...'" : "'");
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view next_word(std::string_view& line) {
  const auto first = std::min(line.find_first_not_of(blanks), line.size());
  const auto last = std::min(line.find_first_of(blanks, first), line.size());
  const std::string_view word = line.substr(first, last - first);
  line.remove_prefix(last);
  return word;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  Csr<double> read() {
    read_banner();
    read_sizes();
    read_entries();
    auto [matrix, twice] = csr_from(rows_, columns_, entries_);
    if (twice) {
      fail("the entry of row " + std::to_string(twice->row + 1) + ", column " + std::to_string(twice->column + 1) +
           " is given twice; add the two up, or drop one");
    }
    return std::move(matrix);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { refuse("matrix file " + file_ + ": " + what); }
  [[noreturn]] void fail_here(const std::string& what) const { fail("line " + std::to_string(line_) + " " + what); }

  std::string_view next_line() {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    return line;
  }

  // The next line that holds anything but blanks and comments; empty at the end of the file.
  std::string_view next_content() {
    while (!rest_.empty()) {
      const std::string_view line = next_line();
      const auto first = line.find_first_not_of(blanks);
      if (first != std::string_view::npos && line[first] != '%') return line;
    }
    return {};
  }

  void read_banner() {
    std::string_view line = next_line();
    const std::string mark = lower(next_word(line)), object = lower(next_word(line)), format = lower(next_word(line)),
                      field = lower(next_word(line)), symmetry = lower(next_word(line));
    if (mark != "%%matrixmarket") {
      fail("it does not begin with %%MatrixMarket, so it is no Matrix Market file; convert it to that format");
    }
    const auto expect = [&](std::string_view what, const std::string& given, std::string_view valid) {
      fail(std::string(what) + " " + shown(given) + " is not read; valid is " + std::string(valid));
    };
    if (object != "matrix") expect("object", object, "matrix");
    if (format != "coordinate") expect("format", format, "coordinate: write the matrix as a list of entries");
    if (field != "real" && field != "double" && field != "integer") {
      expect("field", field, "real or integer: a matrix of numbers is needed");
    }
    if (symmetry == "symmetric")
      symmetry_ = Symmetry::symmetric;
    else if (symmetry == "skew-symmetric")
      symmetry_ = Symmetry::skew;
    else if (symmetry != "general")
      expect("symmetry", symmetry, "general, symmetric or skew-symmetric");
  }

  std::int64_t whole_number(std::string_view word, std::int64_t least, std::int64_t most, const char* what) const {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (error != std::errc{} || end != word.data() + word.size() || n < least || n > most) {
      fail_here("has " + shown(word) + " as " + what + "; a whole number from " + std::to_string(least) + " to " +
                std::to_string(most) + " was expected");
    }
    return n;
  }

  double number(std::string_view word) const {
    std::string_view digits = word;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() ||
        digits.starts_with('-') != word.starts_with('-') || !std::isfinite(value)) {
      fail_here("has " + shown(word) + " as value; a finite number was expected");
    }
    return value;
  }

  void require_end(std::string_view line) const {
    const std::string_view more = next_word(line);
    if (!more.empty()) fail_here("has " + shown(more) + " after all that belongs there; take it out");
  }

  void read_sizes() {
    std::string_view line = next_content();
    if (line.empty()) fail("it ends before the line of sizes; get the file anew, it was cut");
    rows_ = whole_number(next_word(line), 1, most_rows, "number of rows");
    columns_ = whole_number(next_word(line), 1, most_rows, "number of columns");
    announced_ = whole_number(next_word(line), 0, std::int64_t{1} << 62, "number of entries");
    require_end(line);
    const auto left = static_cast<std::int64_t>(rest_.size());
    if (announced_ > (left + 1) / shortest_entry) {
      fail("it announces " + std::to_string(announced_) + " entries, but the " + std::to_string(left) +
           " bytes that follow contain at most " + std::to_string((left + 1) / shortest_entry) +
           "; get the file anew, it was cut or its header is wrong");
    }
    const std::int64_t expanded = (symmetry_ == Symmetry::general ? 1 : 2) * announced_;
    if (std::max(rows_, columns_) > expanded) {
      fail("it announces " + std::to_string(rows_) + " rows and " + std::to_string(columns_) + " columns, but only " +
           std::to_string(announced_) +
           " entries, so that some row or column is empty; a matrix without these is needed");
    }
    if (symmetry_ != Symmetry::general && rows_ != columns_) {
      fail("its header states symmetric, but it has " + std::to_string(rows_) + " rows and " +
           std::to_string(columns_) + " columns; a square matrix was expected");
    }
  }

  void read_entries() {
    entries_.reserve(static_cast<std::size_t>(announced_));
    for (std::int64_t n = 0; n < announced_; ++n) {
      std::string_view line = next_content();
      if (line.empty()) {
        fail("it announces " + std::to_string(announced_) + " entries, but ends after " + std::to_string(n) +
             "; get the file anew, it was cut");
      }
      const auto row = static_cast<std::int32_t>(whole_number(next_word(line), 1, rows_, "row") - 1);
      const auto column = static_cast<std::int32_t>(whole_number(next_word(line), 1, columns_, "column") - 1);
      const double value = number(next_word(line));
      require_end(line);
      entries_.push_back({row, column, value});
      if (symmetry_ == Symmetry::general) continue;
      if (row != column) {
        entries_.push_back({column, row, symmetry_ == Symmetry::skew ? -value : value});
      } else if (symmetry_ == Symmetry::skew && value != 0) {
        fail_here("has a value on the diagonal of a skew-symmetric matrix; it must be 0 there");
      }
    }
    if (!next_content().empty()) {
      fail_here("goes on after the " + std::to_string(announced_) +
                " entries that the header announces; correct the header, or take the rest out");
    }
  }

  std::string_view rest_;
  const std::string& file_;
  std::int64_t line_ = 0;
  Symmetry symmetry_ = Symmetry::general;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t announced_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace

Csr<double> parse_matrix_market(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

Csr<double> read_matrix_market(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto length = static_cast<std::int64_t>(file.tellg());
  if (!file || length < 0) refuse("matrix file " + path + " cannot be read; give the path of a Matrix Market file");
  Buffer<char> text(static_cast<std::size_t>(length), Pages::any, "the text of matrix file " + path);
  file.seekg(0);
  if (!file.read(text.data(), length)) refuse("matrix file " + path + " cannot be read to its end; get the file anew");
  return parse_matrix_market({text.data(), text.size()}, path);
}

}  // namespace tenken
