// The answers of the multiprocessors of one card, over all passes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "device/device.hpp"
#include "vote.hpp"

namespace same_answer {

class Ballot {
 public:
  // The blocks of one pass of a kernel.
  void add(std::size_t kernel, const device::Answers& answers);

  // A core for each multiprocessor that ran a block of each kernel. Its answer is the one that its blocks gave most
  // often, and `unsteady` counts its other blocks. Bits are not compared yet.
  std::vector<Core> cores(std::int64_t rank) const;

  // Of how many bits some lane of this multiprocessor differs from `right`, an answer of a multiprocessor of this card;
  // none where no multiprocessor of this card gave that answer.
  std::optional<std::int64_t> wrong_bits(std::size_t kernel, std::int64_t multiprocessor, std::uint64_t right) const;

 private:
  using Lanes = std::vector<std::uint64_t>;
  std::array<std::map<std::uint64_t, Lanes>, kernels> lanes_;  // by answer of a block; few differ
  // By multiprocessor: how many of its blocks gave each answer.
  std::array<std::map<std::int64_t, std::map<std::uint64_t, std::int64_t>>, kernels> votes_;
};

}  // namespace same_answer
