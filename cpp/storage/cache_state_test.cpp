// A cache is never labelled a disk.
#include "storage/cache_state.hpp"

#include <doctest/doctest.h>

#include <cerrno>

#include "base/error.hpp"

using namespace tenken;
using namespace tenken::storage;

namespace {

CacheState state_of(const ReadFacts& facts) { return label_of(facts).state; }

TEST_CASE("what was asked for is the label only where the system shows it") {
  using enum CacheState;
  CHECK(state_of({.asked = cached, .resident = 0.0, .from_device = 1.0}) == cached);
  CHECK(state_of({.asked = dropped, .resident = 0.0, .from_device = 1.0}) == dropped);
  CHECK(state_of({.asked = dropped, .resident = 0.009, .from_device = 0.95}) == dropped);
  CHECK(state_of({.asked = dropped, .resident = 0.01, .from_device = 1.0}) == cached);
  CHECK(state_of({.asked = dropped, .from_device = 1.0}) == unknown);
  CHECK(state_of({.asked = direct, .resident = 1.0, .from_device = 1.0}) == direct);
  CHECK(state_of({.asked = other_node}) == other_node);
  CHECK(state_of({.asked = outgrown, .from_device = 0.97}) == outgrown);
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
    CHECK(state_of({.asked = asked, .kind = FileSystemKind::memory, .resident = 0.0, .from_device = 1.0}) == memory);
  }
  CHECK(state_of({.asked = dropped, .kind = FileSystemKind::network, .resident = 0.0}) == unknown);
  CHECK(state_of({.asked = outgrown, .kind = FileSystemKind::network}) == unknown);
  CHECK(state_of({.asked = other_node, .kind = FileSystemKind::network, .from_device = 0.0}) == other_node);
}

TEST_CASE("direct reads decide only where the kernel does not show a device") {
  using enum CacheState;
  CHECK_FALSE(compared_with_direct({.asked = dropped, .resident = 0.0, .from_device = 1.0}));
  CHECK(compared_with_direct({.asked = dropped, .resident = 0.0}));
  CHECK(compared_with_direct({.asked = direct, .from_device = 0.5}));
  CHECK(compared_with_direct({.asked = other_node, .kind = FileSystemKind::network, .from_device = 1.0}));
}

TEST_CASE("file systems by their number; an unknown one is treated as a network's") {
  CHECK(file_system_of(0xEF53).name == "ext4");
  CHECK(file_system_of(0x01021994).kind == FileSystemKind::memory);
  CHECK(file_system_of(0x0BD00BD0).kind == FileSystemKind::network);
  CHECK((file_system_of(0x1234).name == "0x1234" && file_system_of(0x1234).kind == FileSystemKind::network));
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
