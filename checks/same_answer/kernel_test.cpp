#include "kernel.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "vote.hpp"

using namespace same_answer;

TEST_CASE("answers are the same again, and known") {
  std::vector<std::uint64_t> words(1000);
  CHECK(fma_answer() == fma_answer());
  CHECK(gemm_answer() == gemm_answer());
  // Exactly rounded operations in a fixed order: the same on every machine and with every compiler.
  CHECK(fma_answer() == 17629888117246211523u);
  CHECK(gemm_answer() == 4816145728305456473u);
  CHECK(integer_answer() == 12493100075635713011u);
  CHECK(memory_answer(words) == 13135256501109771825u);
}

TEST_CASE("no bit of the chains ever settles") { CHECK(fma_answer(fma_steps / 2) != fma_answer()); }

namespace {
std::vector<Core> cores_with(const std::vector<std::uint64_t>& gemm) {
  std::vector<Core> cores(gemm.size());
  for (std::size_t i = 0; i < gemm.size(); ++i) {
    cores[i].answer[1] = gemm[i];
    cores[i].cpu = static_cast<std::int64_t>(i);
  }
  return cores;
}
}  // namespace

TEST_CASE("the one that differs from the majority is odd") {
  CHECK(odd_ones(cores_with({7, 7, 7, 7})).empty());
  CHECK(odd_ones(cores_with({7})).empty());
  const auto odd = odd_ones(cores_with({7, 7, 8, 7}));
  REQUIRE(odd.size() == 1);
  CHECK(odd[0].core == 2);
  CHECK(kernel_names[odd[0].kernel] == "gemm");
}

TEST_CASE("without a majority all are suspects") {
  CHECK(odd_ones(cores_with({7, 8})).size() == 2);
  CHECK(odd_ones(cores_with({7, 7, 8, 8})).size() == 4);
}

TEST_CASE("a core that contradicts itself is odd even where its first answer was right") {
  auto cores = cores_with({7, 7, 7});
  cores[1].unsteady[3] = 2;
  const auto odd = odd_ones(cores);
  REQUIRE(odd.size() == 1);
  CHECK(odd[0].core == 1);
  CHECK(kernel_names[odd[0].kernel] == "memory");
}
