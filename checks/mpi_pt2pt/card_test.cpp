// The kernels of the variant `cuda` as loops on the host, against the payload of processors.
#include <doctest/doctest.h>

#include <vector>

#include "device/device.hpp"
#include "gpu/launch.hpp"
#include "payload.hpp"

using namespace mpi_pt2pt;

namespace {

constexpr std::byte untouched{0x5a};

// Three messages in lines of their own, written by the kernel: every byte as processors write it, and none besides.
void compare(std::int64_t size) {
  CAPTURE(size);
  const std::int64_t stride = (size + 63) / 64 * 64 + 64;
  const device::Batch batch{size, stride, 3, message_of(5, 77, 0)};
  std::vector<std::byte> memory(static_cast<std::size_t>(3 * stride), untouched), expected = memory;
  for (int i = 0; i < 3; ++i)
    write_payload(&expected[static_cast<std::size_t>(i * stride)], static_cast<std::size_t>(size),
                  message_of(5, 77, i));
  const auto card = device::on_host::make_device(0);
  card->write(memory.data(), batch);
  CHECK(memory == expected);
  CHECK(card->wrong(memory.data(), batch).bytes == 0);

  // Each byte of the last message is compared, and its place is known.
  for (const std::int64_t byte : {std::int64_t{0}, size / 2, size - 1}) {
    std::byte* const where = &memory[static_cast<std::size_t>(2 * stride + byte)];
    card->flip(where);
    const device::Wrong wrong = card->wrong(memory.data(), batch);
    CHECK(wrong.bytes == 1);
    CHECK(wrong.message == 2);
    CHECK(wrong.word == byte / 8);
    CHECK(wrong_bytes(&memory[static_cast<std::size_t>(2 * stride)], static_cast<std::size_t>(size),
                      message_of(5, 77, 2)) == 1);
    card->flip(where);
  }
  CHECK(memory == expected);
}

}  // namespace

TEST_CASE("kernels write and compare every byte of messages of any size") {
  for (const std::int64_t size : {1, 7, 8, 9, 63, 64, 65, 1001, 100000, 3000001}) compare(size);
}

TEST_CASE("the order of threads changes nothing") {
  tenken::gpu::falling_threads(true);
  for (const std::int64_t size : {9, 1001, 100000}) compare(size);
  tenken::gpu::falling_threads(false);
}

TEST_CASE("of several wrong messages the first is named, and messages of another sample or sender are wrong") {
  const auto card = device::on_host::make_device(0);
  std::vector<std::byte> memory(10 * 64);
  device::Batch batch{64, 64, 10, message_of(1, 3, 0)};
  card->write(memory.data(), batch);
  card->flip(&memory[9 * 64]);
  card->flip(&memory[4 * 64 + 17]);
  card->flip(&memory[4 * 64 + 63]);
  const device::Wrong wrong = card->wrong(memory.data(), batch);
  CHECK(wrong.bytes == 3);
  CHECK(wrong.message == 4);
  CHECK(wrong.word == 2);
  for (const std::uint64_t other : {message_of(1, 4, 0), message_of(2, 3, 0), message_of(1, 3, 1)}) {
    batch.first = other;
    CHECK(card->wrong(memory.data(), batch).bytes > 320);
  }
}
