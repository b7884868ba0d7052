#include "storage/whole_calls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cerrno>

using namespace tenken::storage;

namespace {

// A file in memory whose calls move at most 3 bytes, every second call is interrupted, and a call at `broken` fails.
struct Slow : SystemCalls {
  std::array<std::byte, 16> content{};
  off_t length = 10, broken = -1;
  int calls = 0, error = EIO;

  ssize_t moved(std::size_t bytes, off_t at, off_t most) {
    if (++calls % 2 == 0) return errno = EINTR, -1;
    if (at == broken) return errno = error, error == 0 ? 0 : -1;
    return static_cast<ssize_t>(std::min<off_t>({3, static_cast<off_t>(bytes), std::max<off_t>(0, most - at)}));
  }
  ssize_t read(int, void* into, std::size_t bytes, off_t at) override {
    const ssize_t n = moved(bytes, at, length);
    for (ssize_t i = 0; i < n; ++i) static_cast<std::byte*>(into)[i] = content[static_cast<std::size_t>(at + i)];
    return n;
  }
  ssize_t write(int, const void* from, std::size_t bytes, off_t at) override {
    const ssize_t n = moved(bytes, at, 16);
    for (ssize_t i = 0; i < n; ++i) content[static_cast<std::size_t>(at + i)] = static_cast<const std::byte*>(from)[i];
    return n;
  }
};

TEST_CASE("short and interrupted calls go on until all bytes have passed") {
  Slow system;
  std::array<std::byte, 8> from{}, into{};
  std::fill(from.begin(), from.end(), std::byte{7});
  CHECK(write_all(system, 0, from.data(), 8, 2) == 8);
  CHECK(system.content[1] == std::byte{0});
  CHECK(system.content[9] == std::byte{7});
  CHECK(system.content[10] == std::byte{0});
  CHECK(read_all(system, 0, into.data(), 8, 2) == 8);
  CHECK(into == from);
}

TEST_CASE("the end of a file is no error, a failure differs from a write of nothing") {
  Slow system;
  std::array<std::byte, 16> data{};
  CHECK(read_all(system, 0, data.data(), 16, 0) == 10);
  CHECK(errno == 0);
  system.broken = 6;
  CHECK(read_all(system, 0, data.data(), 16, 0) == 6);
  CHECK(errno == EIO);
  CHECK(write_all(system, 0, data.data(), 16, 0) == 6);
  CHECK(errno == EIO);
  system.error = 0;
  CHECK(write_all(system, 0, data.data(), 16, 0) == 6);
  CHECK(errno == 0);
}

}  // namespace
