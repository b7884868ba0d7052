// A small tree of /sys and /proc in a folder of its own, for tests of what reads a machine. Gone with the object.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

namespace tenken::testing {

class PlantedTree {
 public:
  PlantedTree() {
    std::string name = (std::filesystem::temp_directory_path() / "tenken-tree-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::filesystem::filesystem_error("no folder", name, {});
    root_ = name;
  }
  // The tree of a whole machine, from a file `path = text`; lines that begin with a tab are further lines of the text,
  // '#' starts a comment (tests/machines/*.tree).
  explicit PlantedTree(const std::string& machine) : PlantedTree() {
    std::ifstream file(machine);
    if (!file) throw std::filesystem::filesystem_error("no tree of a machine", machine, {});
    std::string path, text;
    const auto plant = [&] {
      if (!path.empty()) write(path, text);
    };
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with('#')) continue;
      if (line.starts_with('\t')) {
        text += (text.empty() ? "" : "\n") + line.substr(1);
        continue;
      }
      plant();
      const auto end = line.find(" =");
      path = line.substr(0, end);
      text = end + 3 < line.size() ? line.substr(end + 3) : "";
    }
    plant();
  }
  ~PlantedTree() {
    std::error_code error;
    std::filesystem::remove_all(root_, error);
  }
  PlantedTree(const PlantedTree&) = delete;
  PlantedTree& operator=(const PlantedTree&) = delete;

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << "\n";
  }
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

}  // namespace tenken::testing
