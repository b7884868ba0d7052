#include "ballot.hpp"

#include <algorithm>
#include <bit>

#include "ref.hpp"

namespace same_answer {

void Ballot::add(std::size_t kernel, const device::Answers& answers) {
  for (std::size_t block = 0; block < answers.multiprocessor.size(); ++block) {
    const auto first = answers.words.begin() + static_cast<std::ptrdiff_t>(block * device::threads);
    const std::uint64_t answer = answer_of(&*first);
    ++votes_[kernel][answers.multiprocessor[block]][answer];
    if (!lanes_[kernel].contains(answer)) lanes_[kernel][answer] = Lanes(first, first + device::threads);
  }
}

std::vector<Core> Ballot::cores(std::int64_t rank) const {
  std::vector<Core> cores;
  for (const auto& [number, first_votes] : votes_[0]) {
    Core core{.rank = rank, .cpu = number};
    bool complete = true;
    for (std::size_t kernel = 0; kernel < kernels; ++kernel) {
      const auto given = votes_[kernel].find(number);
      complete = complete && given != votes_[kernel].end();
      if (!complete) break;
      const auto& votes = given->second;
      const auto most = std::max_element(votes.begin(), votes.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      core.answer[kernel] = most->first;
      for (const auto& [answer, count] : votes) core.unsteady[kernel] += answer == most->first ? 0 : count;
    }
    if (complete) cores.push_back(core);
  }
  return cores;
}

std::optional<std::int64_t> Ballot::wrong_bits(std::size_t kernel, std::int64_t multiprocessor,
                                               std::uint64_t right) const {
  const auto expected = lanes_[kernel].find(right);
  if (expected == lanes_[kernel].end()) return std::nullopt;
  std::uint64_t wrong = 0;
  for (const auto& [answer, count] : votes_[kernel].at(multiprocessor)) {
    const Lanes& given = lanes_[kernel].at(answer);
    for (std::size_t lane = 0; lane < given.size(); ++lane) wrong |= given[lane] ^ expected->second[lane];
  }
  return std::popcount(wrong);
}

}  // namespace same_answer
