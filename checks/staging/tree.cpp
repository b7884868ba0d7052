#include "tree.hpp"

#include <charconv>

namespace staging {

namespace {

class Maker {
 public:
  void folder(const std::string& path) { entries_.push_back({.kind = Entry::Kind::folder, .path = path}); }
  void file(const std::string& folder, std::int64_t bytes, const std::string& more = "") {
    const int number = next_++;
    entries_.push_back({.kind = Entry::Kind::file,
                        .path = folder + "/f." + std::to_string(number) + more,
                        .bytes = bytes,
                        .number = number});
  }
  std::size_t length_of_next() const { return 2 + std::to_string(next_).size(); }
  std::vector<Entry> take() { return std::move(entries_); }
  std::vector<Entry>& entries() { return entries_; }

 private:
  std::vector<Entry> entries_;
  int next_ = 0;
};

}  // namespace

std::vector<Entry> tree_of(const TreeSizes& sizes) {
  Maker make;
  make.folder("large");
  for (int i = 0; i < sizes.large; ++i) make.file("large", sizes.large_bytes);
  make.folder("small");
  for (int i = 0; i < sizes.small; ++i) make.file("small", sizes.small_bytes);
  make.file("small", sizes.small_bytes, "." + std::string(sizes.longest_name - make.length_of_next() - 1, 'x'));
  if (sizes.newlines) make.file("small", sizes.small_bytes, "\nü");
  std::string deep = "deep";
  make.folder(deep);
  for (int level = 0; level < sizes.depth; ++level) {
    deep += "/d";
    make.folder(deep);
    make.file(deep, sizes.small_bytes);
  }
  std::string target;
  for (const Entry& entry : make.entries()) {
    if (entry.number == 0) target = "../" + entry.path;
  }
  make.entries().push_back({.kind = Entry::Kind::link, .path = "deep/link", .target = target});
  return make.take();
}

int number_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  int number = -1;
  if (!name.starts_with("f.")) return -1;
  const auto [end, error] = std::from_chars(name.data() + 2, name.data() + name.size(), number);
  const bool whole = end == name.data() + name.size() || *end == '.' || *end == '\n';
  return error == std::errc() && whole ? number : -1;
}

std::int64_t bytes_of(const std::vector<Entry>& entries) {
  std::int64_t bytes = 0;
  for (const Entry& entry : entries) bytes += entry.bytes;
  return bytes;
}

int files_of(const std::vector<Entry>& entries) {
  int files = 0;
  for (const Entry& entry : entries) files += entry.kind == Entry::Kind::file ? 1 : 0;
  return files;
}

std::string packed(const std::vector<Entry>& entries) {
  std::string text;
  for (const Entry& entry : entries) {
    text += std::to_string(static_cast<int>(entry.kind)) + '\0' + entry.path + '\0' + std::to_string(entry.bytes) +
            '\0' + entry.target + '\0';
  }
  return text;
}

std::vector<Entry> unpacked(std::string_view text) {
  std::vector<Entry> entries;
  const auto next = [&text] {
    const std::size_t end = text.find('\0');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end + 1);
    return std::string(word);
  };
  while (!text.empty()) {
    Entry entry;
    entry.kind = static_cast<Entry::Kind>(std::stoi(next()));
    entry.path = next();
    entry.bytes = std::stoll(next());
    entry.target = next();
    if (entry.kind == Entry::Kind::file) entry.number = number_of(entry.path);
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace staging
