// A cache is never labelled a disk.
#include "storage/cache_state.hpp"

#include <doctest/doctest.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "testing/plant.hpp"

using namespace tenken;
using namespace tenken::storage;

namespace {

const FileSystem in_memory{"tmpfs", FileSystemKind::memory}, network{"nfs", FileSystemKind::network},
    hidden{"zfs", FileSystemKind::hidden};

CacheState state_of(const ReadFacts& facts) { return label_of(facts).state; }

TEST_CASE("what was asked for is the label only where the system shows it") {
  using enum CacheState;
  CHECK(state_of({.asked = cached, .resident = 0.0, .from_device = 1.0}) == cached);
  CHECK(state_of({.asked = dropped, .resident = 0.0, .from_device = 1.0}) == dropped);
  CHECK(state_of({.asked = dropped, .resident = 0.009, .from_device = 0.95}) == dropped);
  CHECK(state_of({.asked = dropped, .resident = 0.01, .from_device = 1.0}) == cached);
  CHECK(state_of({.asked = dropped, .from_device = 1.0}) == unknown);
  CHECK(state_of({.asked = direct, .resident = 1.0, .from_device = 1.0}) == direct);
  CHECK(state_of({.asked = other_node, .from_device = 1.0}) == other_node);
  CHECK(state_of({.asked = outgrown, .from_device = 0.97}) == outgrown);
}

TEST_CASE("where the kernel counts no bytes from a device, only pages that are gone show a read of a device") {
  using enum CacheState;
  for (const auto asked : {direct, outgrown, other_node}) {
    CHECK(label_of({.asked = asked}).why == "the kernel does not count the bytes from a device");
    CHECK(state_of({.asked = asked}) == unknown);
  }
  CHECK(state_of({.asked = dropped, .resident = 0.0}) == dropped);
}

TEST_CASE("bytes from a device are no proof where other memory of the node may have answered") {
  using enum CacheState;
  for (const auto asked : {dropped, direct, outgrown}) {
    CHECK(state_of({.asked = asked, .system = hidden, .resident = 0.0, .from_device = 1.0}) == unknown);
  }
  CHECK(label_of({.asked = direct, .system = hidden}).why ==
        "the system does not show which data of zfs are in memory of this node");
  CHECK(state_of({.asked = cached, .system = hidden}) == cached);
}

// A folder of ext4 on the device 7:0 or 253:0.
struct OnDevice : SystemCalls {
  dev_t device = makedev(7, 0);
  std::int64_t file_system(int) override { return 0xEF53; }
  std::optional<std::uint64_t> mount(int) override { return std::nullopt; }
  int status(int, struct stat& into) override {
    into.st_dev = device;
    return 0;
  }
};

TEST_CASE("a file system on a loop device or in memory is no file system of a disk") {
  const testing::PlantedTree planted;
  std::filesystem::create_directories(planted.root() / "sys/dev/block");
  for (const auto& [numbers, name] : {std::pair{"7:0", "loop0"}, {"253:0", "zram0"}, {"8:0", "sda"}}) {
    std::filesystem::create_symlink(name, planted.root() / "sys/dev/block" / numbers);
  }
  const Tree tree(planted.root());
  OnDevice system;
  const FileSystem loop = file_system_below(system, 3, tree);
  CHECK((loop.name == "ext4 on loop0" && loop.kind == FileSystemKind::hidden));
  system.device = makedev(253, 0);
  const FileSystem zram = file_system_below(system, 3, tree);
  CHECK(label_of({.asked = CacheState::direct, .system = zram, .from_device = 1.0}).why ==
        "ext4 on zram0 lies in memory");
  system.device = makedev(8, 0);
  CHECK(file_system_below(system, 3, tree).kind == FileSystemKind::local);
}

TEST_CASE("bytes that no device gave came from a cache, also with O_DIRECT") {
  using enum CacheState;
  for (const auto asked : {dropped, direct, outgrown, other_node}) {
    CHECK(state_of({.asked = asked, .resident = 0.0, .from_device = 0.89}) == cached);
  }
  CHECK(label_of({.asked = direct, .from_device = 0.5}).why == "50 % of the bytes came from a device");
}

TEST_CASE("memory is never a disk, and a network's cache is unknown") {
  using enum CacheState;
  for (const auto asked : {cached, dropped, direct, outgrown}) {
    CHECK(state_of({.asked = asked, .system = in_memory, .resident = 0.0, .from_device = 1.0}) == memory);
  }
  CHECK(state_of({.asked = dropped, .system = network, .resident = 0.0}) == unknown);
  CHECK(state_of({.asked = outgrown, .system = network}) == unknown);
  CHECK(state_of({.asked = other_node, .system = network, .from_device = 0.0}) == other_node);
}

TEST_CASE("direct reads decide only where the kernel does not show a device") {
  using enum CacheState;
  CHECK_FALSE(compared_with_direct({.asked = dropped, .resident = 0.0, .from_device = 1.0}));
  CHECK(compared_with_direct({.asked = dropped, .resident = 0.0}));
  CHECK(compared_with_direct({.asked = direct, .from_device = 0.5}));
  CHECK(compared_with_direct({.asked = other_node, .system = network, .from_device = 1.0}));
}

TEST_CASE("file systems by their number; nothing is shown of an unknown one") {
  CHECK(file_system_of(0xEF53).name == "ext4");
  CHECK(file_system_of(0x01021994).kind == FileSystemKind::memory);
  CHECK(file_system_of(0x0BD00BD0).kind == FileSystemKind::network);
  CHECK((file_system_of(0x1234).name == "0x1234" && file_system_of(0x1234).kind == FileSystemKind::hidden));
  CHECK(file_system_of(0x2FC12FC1).kind == FileSystemKind::hidden);  // ZFS caches outside of the page cache
}

struct Cache : SystemCalls {
  int failing = 0;
  bool obeys = true;
  bool written = false, advised = false;
  int sync_data(int) override {
    written = true;
    errno = failing;
    return failing == 0 ? 0 : -1;
  }
  int drop_cache(int) override {
    advised = written;  // dirty pages stay
    return 0;
  }
  std::optional<double> resident_share(int, std::int64_t) override { return advised && obeys ? 0.0 : 0.7; }
};

TEST_CASE("dropping writes out first and believes only what the system shows") {
  Cache cache;
  CHECK(drop(cache, 3, 100, "file").value() == 0.0);
  cache.obeys = false;
  CHECK(drop(cache, 3, 100, "file").value() == 0.7);
  cache.failing = EIO;
  CHECK_THROWS_WITH_AS(drop(cache, 3, 100, "data.3 of rank 3"),
                       "data.3 of rank 3: Input/output error while the data were written out", UserError);
}

TEST_CASE("states that nobody can ask for are refused") {
  CHECK(cache_state_from("other_node") == CacheState::other_node);
  CHECK_THROWS_AS(cache_state_from("memory"), UserError);
}

}  // namespace
