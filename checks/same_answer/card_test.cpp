// The kernels of the variant `cuda` as loops on the host, against plain loops; the vote of the multiprocessors.
#include <doctest/doctest.h>

#include <vector>

#include "ballot.hpp"
#include "device/device.hpp"
#include "gpu/launch.hpp"
#include "kernel.hpp"
#include "ref.hpp"

using namespace same_answer;
using tenken::gpu::on_host::stand_in;

namespace {

constexpr std::int64_t words = 37;

std::unique_ptr<device::Device> made() {
  stand_in().card.multiprocessors = 3;
  auto card = device::on_host::make_device(0);
  card->allocate(words, factor_of_gemm(0), factor_of_gemm(1));
  return card;
}

// The answers of three multiprocessors of one block each; the last differs in these bits of a lane.
device::Answers three(std::uint64_t wrong) {
  device::Answers answers{1, {4, 5, 7}, std::vector<std::uint64_t>(3 * device::threads, 99)};
  answers.words.back() ^= wrong;
  return answers;
}

}  // namespace

TEST_CASE("every block of a card answers with the bits of the host, in any order of its threads") {
  const auto card = made();
  for (const bool falling : {false, true}) {
    tenken::gpu::falling_threads(falling);
    for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
      CAPTURE(kernel);
      const device::Answers answers = card->run(kernel);
      const std::vector<std::uint64_t> right = right_lanes(kernel, words);
      REQUIRE(static_cast<std::int64_t>(answers.words.size()) == card->blocks() * device::threads);
      for (std::size_t i = 0; i < answers.words.size(); ++i) CHECK(answers.words[i] == right[i % device::threads]);
      for (std::size_t block = 0; block < answers.multiprocessor.size(); ++block)
        CHECK(answers.multiprocessor[block] == static_cast<std::int32_t>(block % 3));
      CHECK(answers.ns > 0);
    }
  }
  tenken::gpu::falling_threads(false);
}

TEST_CASE("right answers are known") {
  // Exactly rounded operations in a fixed order: the same on every machine and with every compiler.
  CHECK(answer_of(right_lanes(0, words).data()) == 14510524441965981184u);
  CHECK(answer_of(right_lanes(1, words).data()) == 10207810737058109744u);
  CHECK(answer_of(right_lanes(2, words).data()) == 917110431422343029u);
  std::vector<std::uint64_t> memory(words);
  CHECK(right_lanes(3, words).back() == memory_answer(memory));
}

TEST_CASE("neighbouring lanes of a kernel have different answers") {
  for (const std::size_t kernel : {0, 1, 2}) {
    const std::vector<std::uint64_t> right = right_lanes(kernel, words);
    for (std::size_t lane = 1; lane < right.size(); ++lane) CHECK(right[lane] != right[lane - 1]);
  }
}

TEST_CASE("the odd multiprocessor is found, with its wrong bits") {
  Ballot ballot;
  for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
    ballot.add(kernel, three(kernel == 1 ? 5 : 0));
    ballot.add(kernel, three(kernel == 1 ? 6 : 0));
    ballot.add(kernel, three(kernel == 1 ? 6 : 0));
  }
  const std::vector<Core> cores = ballot.cores(2);
  REQUIRE(cores.size() == 3);
  const std::vector<Odd> odd = odd_ones(cores);
  REQUIRE(odd.size() == 1);
  CHECK(odd[0].core == 2);
  CHECK(odd[0].kernel == 1);
  CHECK(cores[2].cpu == 7);
  CHECK(cores[2].rank == 2);
  CHECK(cores[2].unsteady[1] == 1);
  const std::uint64_t right = majorities(cores).at(1);
  CHECK(ballot.wrong_bits(1, 7, right) == 3);
  CHECK(ballot.wrong_bits(1, 4, right) == 0);
  CHECK_FALSE(ballot.wrong_bits(1, 7, right + 1).has_value());
}

TEST_CASE("a multiprocessor that ran no block of some kernel is not compared") {
  Ballot ballot;
  for (std::size_t kernel = 0; kernel + 1 < kernels; ++kernel) ballot.add(kernel, three(0));
  CHECK(ballot.cores(0).empty());
  device::Answers some = three(0);
  some.multiprocessor = {4, 4, 5};
  ballot.add(kernels - 1, some);
  CHECK(ballot.cores(0).size() == 2);
}
