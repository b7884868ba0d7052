// The tree that is staged in: few large files, many small files, a deep folder, odd names and a link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace staging {

struct Entry {
  enum class Kind { folder, file, link };
  Kind kind = Kind::folder;
  std::string path{};      // from the top of the tree
  std::int64_t bytes = 0;  // of a file
  int number = -1;         // of a file
  std::string target{};    // of a link
  bool operator==(const Entry&) const = default;
};

struct TreeSizes {
  int large = 0;
  std::int64_t large_bytes = 0;
  int small = 0;
  std::int64_t small_bytes = 0;
  int depth = 0;                   // folders below each other, each with a small file
  std::size_t longest_name = 255;  // bytes that the file systems permit
  bool newlines = true;            // the file systems permit a newline in a name
};

// Folders stand before their content. The files of large_bytes have the first numbers. Two small files have odd names:
// the longest name, and a name with a newline where it is permitted. A link leads to file 0.
std::vector<Entry> tree_of(const TreeSizes& sizes);

// NUMBER of a file named "f.NUMBER" with or without more behind a further dot or newline; -1 for other names.
int number_of(std::string_view path);

std::int64_t bytes_of(const std::vector<Entry>& entries);
int files_of(const std::vector<Entry>& entries);

// The entries as text for a message, and back.
std::string packed(const std::vector<Entry>& entries);
std::vector<Entry> unpacked(std::string_view text);

}  // namespace staging
