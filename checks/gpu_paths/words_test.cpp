#include "words.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace tenken;

TEST_CASE("words of an older seed, of another place or with one wrong bit are found") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{511}, std::size_t{512}, std::size_t{1537}}) {
    std::vector<std::uint64_t> words(n);
    gpu_paths::write(words.data(), n, 0);
    CHECK(gpu_paths::wrong(words.data(), n, 0) == 0);
    const auto pages = static_cast<std::int64_t>((n + 511) / 512);
    CHECK(gpu_paths::wrong(words.data(), n, 1) == pages);
    gpu_paths::renew(words.data(), n, 7);
    CHECK(gpu_paths::wrong(words.data(), n, 7) == 0);
    words[n / 2] ^= 1U << 20;
    CHECK(gpu_paths::wrong(words.data(), n, 7) == 1);
  }
  std::vector<std::uint64_t> words(1024);
  gpu_paths::write(words.data(), 1024, 3);
  CHECK(gpu_paths::wrong(words.data() + 1, 1023, 3) == 1023);
}
