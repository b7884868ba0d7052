#include "qcd/gauge/nersc_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "base/error.hpp"

namespace tenken::qcd {

namespace {

constexpr int largest_extent = 65536;
// Files beyond this many sites exist nowhere; it keeps every later product inside 64 bits.
constexpr std::int64_t most_sites = std::int64_t{1} << 40;
// Real parts of traces over 3 lie in [-1/2, 1]; headers are rounded.
constexpr double largest_average = 1 + 1e-5;
constexpr std::size_t most_shown = 40;

constexpr std::array<std::string_view, 9> needed = {"DATATYPE",    "DIMENSION_1", "DIMENSION_2",
                                                    "DIMENSION_3", "DIMENSION_4", "LINK_TRACE",
                                                    "PLAQUETTE",   "CHECKSUM",    "FLOATING_POINT"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\v\f";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Part of a file inside a sentence: short and printable.
std::string shown(std::string_view text) {
  std::string out(text.substr(0, most_shown));
  for (char& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return "'" + out + (text.size() > most_shown ? "...'" : "'");
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

using Lines = std::map<std::string_view, std::string_view>;

class Header {
 public:
  Header(std::string_view start, std::string_view file) : file_(file) { read_lines(start); }

  [[noreturn]] void fail(const std::string& what) const {
    refuse("--configuration " + std::string(file_) + ": " + what);
  }

  std::int64_t data_begin() const { return data_begin_; }

  std::string_view value(std::string_view key) const {
    const auto found = lines_.find(key);
    if (found == lines_.end()) {
      fail("the header has no " + std::string(key) + "; get the file anew, it is not a whole NERSC configuration");
    }
    return found->second;
  }

  // One of the valid values, in any case of letters and with or without parentheses: 4D_SU(3)_GAUGE_(3X3).
  std::size_t choice(std::string_view key, std::span<const std::string_view> valid) const {
    std::string given = upper(value(key));
    std::erase_if(given, [](char c) { return c == '(' || c == ')' || c == ' ' || c == '\t'; });
    std::string all;
    for (std::size_t i = 0; i < valid.size(); ++i) {
      if (given == upper(valid[i])) return i;
      all.append(i == 0 ? "" : ", ").append(valid[i]);
    }
    fail(std::string(key) + " = " + shown(value(key)) + " is not known; valid are " + all);
  }

  int extent(std::string_view key) const {
    const std::string_view text = value(key);
    int n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size() || n < 1 || n > largest_extent) {
      fail(std::string(key) + " = " + shown(text) + " must be a whole number from 1 to " +
           std::to_string(largest_extent));
    }
    return n;
  }

  std::uint32_t checksum() const {
    std::string_view text = value("CHECKSUM");
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    std::uint32_t sum = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sum, 16);
    if (error != std::errc{} || end != text.data() + text.size()) {
      fail("CHECKSUM = " + shown(value("CHECKSUM")) + " must be a hexadecimal number of 32 bits");
    }
    return sum;
  }

  // An average, and one unit of its last digit printed.
  std::pair<double, double> average(std::string_view key) const {
    std::string_view text = value(key);
    if (text.starts_with('+')) text.remove_prefix(1);
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error != std::errc{} || end != text.data() + text.size() || !(std::abs(x) <= largest_average)) {
      fail(std::string(key) + " = " + shown(value(key)) + " must be a number from -1 to 1");
    }
    const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
    int power = 0;
    if (mantissa < text.size()) {
      std::string_view exponent = text.substr(mantissa + 1);
      if (exponent.starts_with('+')) exponent.remove_prefix(1);
      // As a whole it is a number, so an exponent that fits no int belongs to a zero.
      if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), power).ec != std::errc{}) power = 0;
    }
    const std::size_t point = text.substr(0, mantissa).find('.');
    const auto decimals = point == std::string_view::npos ? 0.0 : static_cast<double>(mantissa - point - 1);
    return {x, std::pow(10.0, power - decimals)};
  }

 private:
  void read_lines(std::string_view start) {
    const std::string_view text = start.substr(0, longest_nersc_header);
    bool begun = false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t newline = text.find('\n', at);
      if (newline == std::string_view::npos) break;
      const std::string_view line = trimmed(text.substr(at, newline - at));
      at = newline + 1;
      if (line == "END_HEADER" && begun) {
        data_begin_ = static_cast<std::int64_t>(at);
        return;
      }
      if (!begun) {
        if (line.empty()) continue;
        if (line != "BEGIN_HEADER") break;
        begun = true;
        continue;
      }
      take(line);
    }
    if (start.empty()) fail("the file is empty; a NERSC configuration starts with BEGIN_HEADER");
    if (!begun) fail("is no NERSC configuration: it starts with " + shown(start) + ", not with BEGIN_HEADER");
    fail("no line END_HEADER in its first " + std::to_string(text.size()) +
         " bytes; get the file anew, its header is not whole");
  }

  void take(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return;
    const std::string_view key = trimmed(line.substr(0, equals));
    if (std::find(needed.begin(), needed.end(), key) == needed.end()) return;
    const std::string_view given = trimmed(line.substr(equals + 1));
    const auto [kept, is_new] = lines_.emplace(key, given);
    if (!is_new && kept->second != given) {
      fail(std::string(key) + " is " + shown(kept->second) + " and " + shown(given) + "; leave one of these lines");
    }
  }

  std::string_view file_;
  Lines lines_;
  std::int64_t data_begin_ = 0;
};

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

std::string number(const char* format, double x) {
  char text[40];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

}  // namespace

ByteOrder host_order() { return std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big; }

NerscHeader parse_nersc_header(std::string_view start, std::string_view file) {
  const Header text(start, file);
  NerscHeader header;
  constexpr std::array<std::string_view, 2> datatypes = {"4D_SU3_GAUGE", "4D_SU3_GAUGE_3x3"};
  header.form.rows = text.choice("DATATYPE", datatypes) == 0 ? 2 : 3;
  constexpr std::array<std::string_view, 6> types = {"IEEE32", "IEEE32LITTLE", "IEEE32BIG",
                                                     "IEEE64", "IEEE64LITTLE", "IEEE64BIG"};
  const std::size_t type = text.choice("FLOATING_POINT", types);
  header.form.real_bytes = type < 3 ? 4 : 8;
  header.form.order_said = type % 3 != 0;
  header.form.order = type % 3 == 0 ? host_order() : type % 3 == 1 ? ByteOrder::little : ByteOrder::big;
  for (int d = 0; d < dimensions; ++d) header.lattice[d] = text.extent("DIMENSION_" + std::to_string(d + 1));
  // Four extents of at most 2^16 may overflow 64 bits; three may not.
  const std::int64_t slice = product({header.lattice[0], header.lattice[1], header.lattice[2], 1});
  if (slice > most_sites / header.lattice[3]) text.fail("DIMENSION_1 to 4 give more than 2^40 sites");
  header.checksum = text.checksum();
  std::tie(header.plaquette, header.plaquette_digit) = text.average("PLAQUETTE");
  std::tie(header.link_trace, header.link_trace_digit) = text.average("LINK_TRACE");
  header.data_begin = text.data_begin();
  return header;
}

void require_nersc_size(const NerscHeader& header, std::int64_t bytes, std::string_view file) {
  const std::int64_t expected = header.file_bytes();
  if (bytes == expected) return;
  refuse("--configuration " + std::string(file) + " has " + std::to_string(bytes) + " bytes, but its header asks for " +
         std::to_string(expected) + "; get the file anew, " +
         (bytes < expected ? "it was cut off" : "something was added to it or the header belongs to another"));
}

std::string nersc_header_text(const NerscHeader& header, const NerscText& about) {
  std::string text = "BEGIN_HEADER\n";
  const auto line = [&](const std::string& key, const std::string& value) {
    text += key + " = " + one_line(value) + "\n";
  };
  line("HDR_VERSION", "1.0");
  line("DATATYPE", header.form.rows == 2 ? "4D_SU3_GAUGE" : "4D_SU3_GAUGE_3x3");
  line("STORAGE_FORMAT", "1.0");
  for (int d = 0; d < dimensions; ++d) line("DIMENSION_" + std::to_string(d + 1), std::to_string(header.lattice[d]));
  line("LINK_TRACE", number("%.15g", header.link_trace));
  line("PLAQUETTE", number("%.15g", header.plaquette));
  for (int d = 0; d < dimensions; ++d) line("BOUNDARY_" + std::to_string(d + 1), "PERIODIC");
  char sum[16];
  std::snprintf(sum, sizeof sum, "%08x", static_cast<unsigned>(header.checksum));
  line("CHECKSUM", sum);
  line("ENSEMBLE_ID", about.ensemble_id);
  line("ENSEMBLE_LABEL", about.ensemble_label);
  line("SEQUENCE_NUMBER", std::to_string(about.sequence_number));
  line("CREATOR", about.creator);
  line("CREATOR_HARDWARE", about.creator_hardware);
  line("CREATION_DATE", about.date);
  line("ARCHIVE_DATE", about.date);
  const std::string order = !header.form.order_said ? "" : header.form.order == ByteOrder::little ? "LITTLE" : "BIG";
  line("FLOATING_POINT", "IEEE" + std::to_string(8 * header.form.real_bytes) + order);
  return text + "END_HEADER\n";
}

}  // namespace tenken::qcd
