#include "storage/alignment.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <vector>

using namespace tenken::storage;

namespace {

// A file that takes direct writes in multiples of `needed`, and says so where `states` is true.
struct DirectFile : SystemCalls {
  std::int64_t needed = 4096;
  bool states = false;
  std::vector<std::size_t> tried;

  std::optional<StatedAlignment> stated_alignment(int) override {
    return states ? std::optional(StatedAlignment{needed / 8, needed}) : std::nullopt;
  }
  ssize_t write(int, const void* from, std::size_t bytes, off_t at) override {
    tried.push_back(bytes);
    const auto unit = static_cast<std::uintptr_t>(needed);
    if (needed > 0 && bytes % unit == 0 && static_cast<std::uintptr_t>(at) % unit == 0 &&
        reinterpret_cast<std::uintptr_t>(from) % unit == 0) {
      return static_cast<ssize_t>(bytes);
    }
    errno = EINVAL;
    return -1;
  }
};

TEST_CASE("a stated alignment is believed without a trial") {
  DirectFile file;
  file.states = true;
  const auto found = direct_alignment(file, 3);
  REQUIRE(found);
  CHECK((found->memory == 512 && found->offset == 4096 && found->stated));
  CHECK(file.tried.empty());
}

TEST_CASE("a file system that states no alignment refuses") {
  DirectFile file;
  file.states = true;
  file.needed = 0;
  CHECK_FALSE(direct_alignment(file, 3));
}

TEST_CASE("the least alignment that works is found by trial") {
  for (const std::int64_t needed : {512, 4096, 65536}) {
    DirectFile file;
    file.needed = needed;
    const auto found = direct_alignment(file, 3);
    REQUIRE(found);
    CHECK((found->memory == needed && found->offset == needed && !found->stated));
  }
  DirectFile refusing;
  refusing.needed = 0;
  CHECK_FALSE(direct_alignment(refusing, 3));
  CHECK(refusing.tried.size() == 3);
}

}  // namespace
