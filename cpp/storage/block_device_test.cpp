// A file or memory of this node is never taken for a device.
#include "storage/block_device.hpp"

#include <doctest/doctest.h>
#include <sys/sysmacros.h>

#include <filesystem>

#include "testing/plant.hpp"

namespace fs = std::filesystem;
using namespace tenken;
using namespace tenken::storage;

namespace {

// Devices by name, with their numbers, and a volume dm-0 on top of an array.
struct Node {
  testing::PlantedTree tree;
  Tree of{tree.root()};

  void device(const std::string& name, const std::string& numbers = "") const {
    fs::create_directories(tree.root() / "sys/class/block" / name / "slaves");
    if (numbers.empty()) return;
    fs::create_directories(tree.root() / "sys/dev/block");
    fs::create_directory_symlink("../../class/block/" + name, tree.root() / "sys/dev/block" / numbers);
  }
  void part(const std::string& whole, const std::string& name) const {
    fs::create_directories(tree.root() / "sys/class/block" / whole / "slaves" / name);
  }
  std::string name(std::optional<std::uint64_t> mount, dev_t device) const {
    const auto found = hidden_device(of, mount, device);
    return found ? found->name + (found->in_memory ? " in memory" : "") : "none";
  }
};

TEST_CASE("devices of memory and of files are named, others are not") {
  const Node node;
  node.device("loop0", "7:0");
  node.device("zram1", "253:1");
  node.device("ram2", "1:2");
  node.device("nbd0p1", "43:1");
  node.device("sda1", "8:1");
  node.device("loopback", "8:2");
  CHECK(node.name({}, makedev(7, 0)) == "loop0");
  CHECK(node.name({}, makedev(253, 1)) == "zram1 in memory");
  CHECK(node.name({}, makedev(1, 2)) == "ram2 in memory");
  CHECK(node.name({}, makedev(43, 1)) == "nbd0p1");
  CHECK(node.name({}, makedev(8, 1)) == "none");
  CHECK(node.name({}, makedev(8, 2)) == "none");
  CHECK(node.name({}, makedev(0, 42)) == "none");
}

TEST_CASE("a volume is as hidden as one of its parts") {
  const Node node;
  node.device("dm-0", "254:0");
  node.device("md1");
  node.part("dm-0", "md1");
  node.part("md1", "sda");
  CHECK(node.name({}, makedev(254, 0)) == "none");
  node.part("md1", "loop3");
  CHECK(node.name({}, makedev(254, 0)) == "loop3");
}

TEST_CASE("the mount names the device where the file's number does not") {
  const Node node;
  node.device("loop4");
  node.device("dm-1");
  node.part("dm-1", "loop4");
  node.tree.write("proc/self/mountinfo",
                  "21 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                  "321 21 0:50 / /data rw shared:9 - btrfs /dev/loop4 rw\n"
                  "32 21 0:51 / /more rw - btrfs /dev/mapper/data rw\n"
                  "33 21 0:52 / /over rw - overlay overlay rw");
  fs::create_directories(node.tree.root() / "dev/mapper");
  fs::create_symlink("../dm-1", node.tree.root() / "dev/mapper/data");
  CHECK(node.name(321, makedev(0, 60)) == "loop4");
  CHECK(node.name(32, makedev(0, 61)) == "loop4");
  CHECK(node.name(33, makedev(0, 52)) == "none");
  CHECK(node.name(3, makedev(0, 60)) == "none");
}

}  // namespace
