// The kernels of the variants on cards as loops on the host, against operands of processors.
#include <doctest/doctest.h>

#include <vector>

#include "device/device.hpp"
#include "gpu/launch.hpp"
#include "payload.hpp"
#include "summands.hpp"

using namespace mpi_collectives;
using device::Pieces;
using device::Summands;

namespace {

constexpr std::uint64_t sample = 12;

template <class Type>
std::byte* bytes_of(std::vector<Type>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

// Pieces as processors write them, and every word compared; an element behind them stays as it was.
void compare_pieces(std::int64_t words) {
  CAPTURE(words);
  constexpr int ranks = 3, rank = 1;
  const auto n = static_cast<std::size_t>(words);
  const auto card = device::on_host::make_device(0);
  const Pieces pieces{words, ranks, rank, sample};
  std::vector<std::uint32_t> given(n * ranks + 1, 77), expected = given;
  for (int other = 0; other < ranks; ++other)
    fill(&expected[n * static_cast<std::size_t>(other)], n, key_of(sample, rank, other));
  card->write(bytes_of(given), pieces);
  CHECK(given == expected);

  std::vector<std::uint32_t> got(n * ranks);
  for (int other = 0; other < ranks; ++other)
    fill(&got[n * static_cast<std::size_t>(other)], n, key_of(sample, other, rank));
  CHECK(card->wrong(bytes_of(got), pieces).bytes == 0);
  for (const std::size_t place : {std::size_t{0}, n - 1, n, 2 * n - 1, 3 * n - 1}) {
    got[place] ^= 0x10001;
    const device::Wrong wrong = card->wrong(bytes_of(got), pieces);
    CHECK(wrong.bytes == 2);
    CHECK(wrong.first == static_cast<std::int64_t>(place));
    for (int source = 0; source < ranks; ++source) {
      const device::Wrong of = card->wrong_of(bytes_of(got), pieces, source);
      CHECK(of.bytes == (place / n == static_cast<std::size_t>(source) ? 2 : 0));
    }
    got[place] ^= 0x10001;
  }
  CHECK(card->wrong(bytes_of(given), pieces).bytes > 6 * words);  // what this rank gave is not what it gets
}

template <class Number>
void compare_sums(std::int64_t size) {
  CAPTURE(size);
  constexpr int ranks = 5, rank = 3;
  constexpr bool doubles = sizeof(Number) == 8;
  const auto n = static_cast<std::size_t>(size);
  const auto card = device::on_host::make_device(0);
  const Summands numbers{size, doubles, ranks, rank, sample};
  std::vector<Number> given(n + 1, 77), sums(n);
  card->write(bytes_of(given), numbers);
  for (std::size_t i = 0; i < n; ++i) {
    REQUIRE(given[i] == (doubles ? static_cast<Number>(summand(rank, sample, i)) : small_summand(rank, sample, i)));
    for (int other = 0; other < ranks; ++other)
      sums[i] += doubles ? static_cast<Number>(summand(other, sample, i)) : small_summand(other, sample, i);
  }
  CHECK(given[n] == 77);
  CHECK(card->wrong(bytes_of(sums), numbers).bytes == 0);
  for (const std::size_t place : {std::size_t{0}, n / 2, n - 1}) {
    sums[place] += 1;
    const device::Wrong wrong = card->wrong(bytes_of(sums), numbers);
    CHECK(wrong.bytes == static_cast<std::int64_t>(sizeof(Number)));
    CHECK(wrong.first == static_cast<std::int64_t>(place));
    sums[place] -= 1;
  }
}

void compare_all() {
  for (const std::int64_t n : {1, 2, 255, 256, 257, 1001, 300001}) {
    compare_pieces(n);
    compare_sums<double>(n);
    compare_sums<std::int32_t>(n);
  }
}

}  // namespace

TEST_CASE("kernels write and compare every word and number") { compare_all(); }

TEST_CASE("the order of threads changes nothing") {
  tenken::gpu::falling_threads(true);
  compare_all();
  tenken::gpu::falling_threads(false);
}
