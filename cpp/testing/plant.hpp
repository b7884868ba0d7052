// A small tree of /sys in a folder of its own, for tests of what reads a machine. Gone with the object.
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
