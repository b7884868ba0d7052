// The files a node tells about itself (/sys, /proc, /etc) under a root that a test can replace by a captured tree.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace tenken {

class Tree {
 public:
  explicit Tree(std::filesystem::path root) : root_(std::move(root)) {}

  // True for the running system: only then may anything be measured or asked of the kernel.
  bool live() const { return root_ == "/"; }

  // The first MiB of a file without surrounding white space, bytes that are not printable text replaced by '?';
  // empty where it cannot be read or holds nothing.
  std::optional<std::string> text(std::string_view path) const;
  std::optional<std::int64_t> number(std::string_view path) const;
  std::vector<std::string> lines(std::string_view path) const;
  // For what is read word by word and need not be read whole; fails at once where `text` would be empty.
  std::ifstream open(std::string_view path) const;
  std::vector<int> cpus(std::string_view path) const;  // "0-3,8" -> 0 1 2 3 8
  // The same of the mask in `path`; where it is not there, of the list in `list`. Old kernels have masks alone.
  std::vector<int> cpus_of(std::string_view path, std::string_view list) const;

  // Names in a folder, sorted with numbers in numeric order (cpu2 before cpu10).
  std::vector<std::string> names(std::string_view path) const;
  std::vector<int> numbered(std::string_view path, std::string_view prefix) const;  // cpu0 cpu1 … -> 0 1 …

  bool exists(std::string_view path) const;
  std::optional<std::string> link_name(std::string_view path) const;  // last part of what a symbolic link points to

 private:
  std::filesystem::path at(std::string_view path) const;

  std::filesystem::path root_;
};

std::string printable(std::string_view bytes);
std::string trimmed(std::string_view text);
std::vector<std::string> split(std::string_view text, char separator);  // trimmed, empty parts dropped
std::vector<int> parse_cpus(std::string_view list);
std::vector<int> parse_mask(std::string_view mask);  // hexadecimal in groups: "1,0000000f" -> 0 1 2 3 32
std::optional<std::int64_t> parse_number(std::string_view text, int base = 10);  // leading number, the rest ignored

// "key : value" or "key=value" lines.
std::optional<std::string> value_of(const std::vector<std::string>& lines, std::string_view key, char separator);

// What cannot be read is null.
template <class T>
void field(Json& json, std::string_view name, const std::optional<T>& value) {
  json.key(name);
  if (value) {
    json.value(*value);
  } else {
    json.null();
  }
}

template <class T>
void list(Json& json, std::string_view name, const std::vector<T>& values) {
  json.key(name).begin_array();
  for (const auto& value : values) json.value(value);
  json.end_array();
}

}  // namespace tenken
