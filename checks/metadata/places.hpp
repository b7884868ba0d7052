// Which file lies where: names of the folders and files of all ranks, below the folder of the launch.
//
// Shared: all ranks make files in the tree "t"; own: rank W makes them in the tree "t.W". A tree has `depth` levels
// with `branch` folders a folder. Files lie in its leaves only, in turn: file i in leaf i mod leaves.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metadata {

// A file by the rank that makes it and its number there.
struct Made {
  int writer = 0;
  int file = 0;
  bool operator==(const Made&) const = default;
};

struct Places {
  bool shared = true;
  int depth = 0;
  int branch = 1;
  int files = 1;  // of a rank
  int ranks = 1;

  static constexpr int most_leaves = 4096;

  int leaves() const;                              // of a tree; most_leaves + 1 where there are more than most_leaves
  std::string leaf(int writer, int number) const;  // path of a leaf
  std::vector<std::string> folders(int writer) const;  // of the tree, each after the folder that it lies in
  std::string path(const Made& file) const;
  std::vector<std::string> paths(int writer) const;  // of all files of a rank

  // The file of this name (without folders) that a rank makes; empty for any other name.
  std::optional<Made> made(std::string_view name) const;
};

}  // namespace metadata
