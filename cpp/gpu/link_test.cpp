#include "gpu/link.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace tenken;

TEST_CASE("the link of a card is read from its folder") {
  const std::filesystem::path root = std::filesystem::temp_directory_path() / "tenken-link-test";
  const auto folder = root / "sys/bus/pci/devices/0000:3b:00.0";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "current_link_width") << "8\n";
  std::ofstream(folder / "max_link_width") << "16\n";
  std::ofstream(folder / "current_link_speed") << "16.0 GT/s PCIe\n";
  std::ofstream(folder / "max_link_speed") << "Unknown\n";
  const gpu::Link link = gpu::link_of(Tree(root), "0000:3B:00.0");
  std::filesystem::remove_all(root);
  CHECK(link.lanes == 8);
  CHECK(link.most_lanes == 16);
  CHECK(link.speed == 16);
  CHECK(!link.most_speed);
  CHECK(!gpu::link_of(Tree(root), "0000:3B:00.0").lanes);
}
