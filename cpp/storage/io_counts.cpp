#include "storage/io_counts.hpp"

namespace tenken::storage {

std::optional<IoCounts> io_counts(const Tree& tree) {
  const auto lines = tree.lines("/proc/self/io");
  const auto number = [&](std::string_view key) -> std::optional<std::int64_t> {
    const auto text = value_of(lines, key, ':');
    return text ? parse_number(*text) : std::nullopt;
  };
  const auto read = number("rchar"), written = number("wchar"), from = number("read_bytes"), to = number("write_bytes");
  if (!read || !written || !from || !to) return std::nullopt;
  return IoCounts{*read, *written, *from, *to};
}

}  // namespace tenken::storage
