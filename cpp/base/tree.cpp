#include "base/tree.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>

namespace tenken {
namespace {

constexpr std::size_t largest_file = 1 << 20;
constexpr int largest_cpu = 1 << 16;

// Length of the well-formed UTF-8 sequence at the start of `bytes`, 0 if there is none.
std::size_t utf8_length(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const auto lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const auto second = byte(1);  // overlong forms, surrogates, beyond U+10FFFF
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f)) return 0;
  if ((lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f)) return 0;
  return length;
}

bool numeric_order(const std::string& a, const std::string& b) {
  const auto n = std::min(a.find_first_of("0123456789"), a.size());
  if (a.compare(0, n, b, 0, n) == 0) {
    const auto x = parse_number(std::string_view(a).substr(n));
    const auto y = parse_number(std::string_view(b).substr(n));
    if (x && y && *x != *y) return *x < *y;
  }
  return a < b;
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const auto length = utf8_length(bytes);
    const auto c = static_cast<unsigned char>(bytes[0]);
    const bool plain = length > 1 || (length == 1 && c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t';
    if (plain) {
      text += bytes.substr(0, length);
    } else {
      text += '?';
    }
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (auto part = trimmed(text.substr(0, end)); !part.empty()) parts.push_back(std::move(part));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<std::int64_t> parse_number(std::string_view text, int base) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc{}) return std::nullopt;
  return number;
}

std::vector<int> parse_cpus(std::string_view text) {
  std::vector<int> cpus;
  for (const auto& part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = parse_number(part);
    const auto last = dash == std::string::npos ? first : parse_number(std::string_view(part).substr(dash + 1));
    if (!first || !last || *first < 0 || *last > largest_cpu) continue;
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::vector<int> parse_mask(std::string_view text) {
  std::vector<int> cpus;
  int first = 0;  // processor of the lowest bit of a digit, from the right
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    if (*digit == ',') continue;
    if (std::isxdigit(static_cast<unsigned char>(*digit)) == 0 || first > largest_cpu) return {};
    const auto bits = std::stoi(std::string(1, *digit), nullptr, 16);
    for (int bit = 0; bit < 4; ++bit) {
      if ((bits >> bit & 1) != 0) cpus.push_back(first + bit);
    }
    first += 4;
  }
  return cpus;
}

std::optional<std::string> value_of(const std::vector<std::string>& lines, std::string_view key, char separator) {
  for (const auto& line : lines) {
    const auto at = line.find(separator);
    if (at != std::string::npos && trimmed(std::string_view(line).substr(0, at)) == key) {
      auto value = trimmed(std::string_view(line).substr(at + 1));
      if (value.empty()) return std::nullopt;
      return value;
    }
  }
  return std::nullopt;
}

std::filesystem::path Tree::at(std::string_view path) const {
  return root_ / std::filesystem::path(path).relative_path();
}

std::optional<std::string> Tree::text(std::string_view path) const {
  std::error_code error;
  if (!std::filesystem::is_regular_file(at(path), error)) return std::nullopt;  // never waits on a pipe or device
  std::ifstream file(at(path), std::ios::binary);
  std::string bytes(largest_file, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  while (!bytes.empty() && bytes.back() == '\0') bytes.pop_back();  // device-tree strings end with one
  auto text = trimmed(printable(bytes));
  if (text.empty()) return std::nullopt;
  return text;
}

std::optional<std::int64_t> Tree::number(std::string_view path) const {
  const auto content = text(path);
  return content ? parse_number(*content) : std::nullopt;
}

std::ifstream Tree::open(std::string_view path) const {
  std::error_code error;
  std::ifstream file;
  file.setstate(std::ios::failbit);
  if (std::filesystem::is_regular_file(at(path), error)) file.open(at(path));
  return file;
}

std::vector<std::string> Tree::lines(std::string_view path) const { return split(text(path).value_or(""), '\n'); }

std::vector<int> Tree::cpus(std::string_view path) const { return parse_cpus(text(path).value_or("")); }

std::vector<int> Tree::cpus_of(std::string_view path, std::string_view list) const {
  auto masked = parse_mask(text(path).value_or(""));
  return masked.empty() ? cpus(list) : masked;
}

std::vector<std::string> Tree::names(std::string_view path) const {
  std::vector<std::string> found;
  std::error_code error;
  std::filesystem::directory_iterator entry(at(path), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    found.push_back(entry->path().filename().string());
  }
  std::sort(found.begin(), found.end(), numeric_order);
  return found;
}

std::vector<int> Tree::numbered(std::string_view path, std::string_view prefix) const {
  std::vector<int> numbers;
  for (const auto& name : names(path)) {
    if (!name.starts_with(prefix)) continue;
    const auto rest = std::string_view(name).substr(prefix.size());
    const bool digits = std::all_of(rest.begin(), rest.end(), [](unsigned char c) { return std::isdigit(c); });
    const auto number = digits ? parse_number(rest) : std::nullopt;
    if (number && *number <= largest_cpu) numbers.push_back(static_cast<int>(*number));
  }
  return numbers;
}

bool Tree::exists(std::string_view path) const {
  std::error_code error;
  return std::filesystem::exists(at(path), error);
}

std::optional<std::string> Tree::link_name(std::string_view path) const {
  std::error_code error;
  const auto target = std::filesystem::read_symlink(at(path), error);
  if (error || target.filename().empty()) return std::nullopt;
  return printable(target.filename().string());
}

}  // namespace tenken
