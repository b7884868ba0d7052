#include "numerics/matrix_market.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.hpp"
#include "base/gzip.hpp"

namespace tenken {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::int64_t shortest_entry = 6;            // "1 1 1" and the end of its line
constexpr std::int64_t shortest_place = 4;            // "1 1"
constexpr std::int64_t bytes_an_entry = 36;           // the entry, its place in the order, column and value
constexpr std::int64_t many = std::int64_t{1} << 20;  // entries whose need is stated
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

std::string gib(std::int64_t bytes) {
  std::string text = std::to_string(static_cast<double>(bytes) / (1 << 30));
  return text.substr(0, text.find('.') + 2) + " GiB";
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, Patterns patterns)
      : rest_(text), file_(file), patterns_(patterns) {}

  MatrixFile read() {
    read_banner();
    read_sizes();
    read_entries();
    auto [matrix, added] = csr_of_sums(rows_, columns_, entries_);
    return {std::move(matrix), added};
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
    pattern_ = field == "pattern";
    if (pattern_ && patterns_ == Patterns::refused) {
      fail("field 'pattern' has places without values; --pattern_as_ones true reads them as ones");
    }
    if (field != "real" && field != "double" && field != "integer" && !pattern_) {
      expect("field", field, "real, integer or pattern: a matrix of real numbers is needed");
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
    std::string digits(word);
    if (digits.starts_with('+')) digits.erase(0, 1);
    for (char& c : digits) {
      if (c == 'D' || c == 'd') c = 'e';  // Fortran
    }
    double value = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, value);
    if (error == std::errc::result_out_of_range && end == last) value = std::strtod(digits.c_str(), nullptr);  // or 0
    const bool read = error == std::errc{} || error == std::errc::result_out_of_range;
    if (!read || end != last || digits.starts_with('-') != word.starts_with('-') || !std::isfinite(value)) {
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
    const std::int64_t shortest = pattern_ ? shortest_place : shortest_entry;
    const std::int64_t expanded = (symmetry_ == Symmetry::general ? 1 : 2) * announced_;
    if (announced_ > (left + 1) / shortest) {
      const std::string need = announced_ < many || announced_ > most_rows * most_rows / bytes_an_entry / 2
                                   ? ""
                                   : " (so many take at least " + gib(shortest * announced_) + " of text and " +
                                         gib(bytes_an_entry * expanded) + " of memory)";
      fail("it announces " + std::to_string(announced_) + " entries" + need + ", but the " + std::to_string(left) +
           " bytes that follow contain at most " + std::to_string((left + 1) / shortest) +
           "; get the file anew, it was cut or its header is wrong");
    }
    if (const std::int64_t available = available_memory_bytes(); bytes_an_entry * expanded > available) {
      impossible("matrix file " + file_ + ": its " + std::to_string(expanded) + " entries need " +
                 gib(bytes_an_entry * expanded) + " of memory, but " + gib(available) +
                 " are available; use a node with more memory");
    }
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
      const double value = pattern_ ? 1 : number(next_word(line));
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
  const Patterns patterns_;
  bool pattern_ = false;
  std::int64_t line_ = 0;
  Symmetry symmetry_ = Symmetry::general;
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t announced_ = 0;
  std::vector<Entry> entries_;
};

// The name of a kind of file that cannot be a matrix, by its first bytes; empty for others.
std::string_view other_kind(std::string_view bytes) {
  constexpr std::size_t place_of_tar = 257;
  if (bytes.size() > place_of_tar && bytes.substr(place_of_tar).starts_with("ustar")) return "a tar archive";
  if (bytes.starts_with("PK\x03\x04")) return "a zip archive";
  if (bytes.starts_with("BZh")) return "packed by bzip2";
  if (bytes.starts_with("\xfd"
                        "7zXZ"))
    return "packed by xz";
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) return "packed by zstd";
  return {};
}

void require_text(std::string_view bytes, const std::string& path) {
  if (const std::string_view kind = other_kind(bytes); !kind.empty()) {
    refuse("matrix file " + path + " is " + std::string(kind) +
           "; unpack it, and give the file that begins with %%MatrixMarket");
  }
}

}  // namespace

MatrixFile parse_matrix_market(std::string_view text, const std::string& file, Patterns patterns) {
  return Reader(text, file, patterns).read();
}

MatrixFile read_matrix_market(const std::string& path, Patterns patterns) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) {
    refuse("matrix file " + path + " is a folder; give the path of a Matrix Market file in it");
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    refuse("matrix file " + path + " is a device or a pipe; write the matrix to a regular file");
  }
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto length = static_cast<std::int64_t>(file.tellg());
  if (!file || length < 0) refuse("matrix file " + path + " cannot be read; give the path of a Matrix Market file");
  Buffer<char> bytes(static_cast<std::size_t>(length), Pages::any, "the text of matrix file " + path);
  file.seekg(0);
  if (!file.read(bytes.data(), length)) refuse("matrix file " + path + " cannot be read to its end; get the file anew");
  std::string_view text(bytes.data(), bytes.size());
  require_text(text, path);
  if (!is_gzip(text)) return parse_matrix_market(text, path, patterns);
  constexpr std::int64_t part = 4;  // of the memory, for the unpacked text
  const std::string unpacked = gunzip(text, "matrix file " + path, available_memory_bytes() / part);
  require_text(unpacked, path);
  return parse_matrix_market(unpacked, path, patterns);
}

}  // namespace tenken
