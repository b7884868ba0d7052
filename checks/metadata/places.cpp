#include "places.hpp"

#include <charconv>

namespace metadata {

namespace {

std::string name_of(const Made& file) { return "f." + std::to_string(file.writer) + "." + std::to_string(file.file); }

std::string top(bool shared, int writer) { return shared ? "t" : "t." + std::to_string(writer); }

}  // namespace

int Places::leaves() const {
  int all = 1;
  for (int level = 0; level < depth; ++level) {
    if (all > most_leaves / branch) return most_leaves + 1;
    all *= branch;
  }
  return all;
}

std::string Places::leaf(int writer, int number) const {
  std::string below;
  for (int level = 0; level < depth; ++level) {
    below = "/d" + std::to_string(number % branch) + below;
    number /= branch;
  }
  return top(shared, writer) + below;
}

std::vector<std::string> Places::folders(int writer) const {
  std::vector<std::string> all = {top(shared, writer)};
  std::size_t first = 0;  // of the level above
  for (int level = 0; level < depth; ++level) {
    const std::size_t end = all.size();
    for (std::size_t parent = first; parent < end; ++parent) {
      for (int i = 0; i < branch; ++i) all.push_back(all[parent] + "/d" + std::to_string(i));
    }
    first = end;
  }
  return all;
}

std::string Places::path(const Made& file) const {
  return leaf(file.writer, file.file % leaves()) + "/" + name_of(file);
}

std::vector<std::string> Places::paths(int writer) const {
  std::vector<std::string> leaf_paths;
  for (int i = 0; i < leaves(); ++i) leaf_paths.push_back(leaf(writer, i));
  std::vector<std::string> all;
  for (int i = 0; i < files; ++i) {
    all.push_back(leaf_paths[static_cast<std::size_t>(i) % leaf_paths.size()] + "/" + name_of({writer, i}));
  }
  return all;
}

std::optional<Made> Places::made(std::string_view name) const {
  Made file;
  const char* const end = name.data() + name.size();
  if (!name.starts_with("f.")) return std::nullopt;
  const auto [after_writer, bad_writer] = std::from_chars(name.data() + 2, end, file.writer);
  if (bad_writer != std::errc{} || after_writer == end || *after_writer != '.') return std::nullopt;
  const auto [after_file, bad_file] = std::from_chars(after_writer + 1, end, file.file);
  if (bad_file != std::errc{} || after_file != end || name_of(file) != name) return std::nullopt;
  const bool known = file.writer >= 0 && file.writer < ranks && file.file >= 0 && file.file < files;
  return known ? std::optional(file) : std::nullopt;
}

}  // namespace metadata
