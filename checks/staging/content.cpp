#include "content.hpp"

#include <cstddef>
#include <cstring>

namespace staging {

using namespace tenken;
using storage::Origin;

namespace {
constexpr std::uint64_t seed = 37;
}

Content::Content(std::uint64_t launch, int ranks)
    : launch_(static_cast<int>(launch % Origin::launches)), ranks_(ranks), pattern_(seed) {}

Origin Content::origin(int owner, int number, std::int64_t at) const {
  return {launch_, owner, number % Origin::files, at};
}

void Content::fill(std::span<std::uint64_t> words, int owner, int number, std::int64_t at) const {
  pattern_.fill(words, origin(owner, number, at));
}

void Content::fill_stale(std::span<std::uint64_t> words, int owner, int number, std::int64_t at) const {
  Origin first = origin(owner, number, at);
  first.launch = (launch_ + 1) % Origin::launches;
  pattern_.fill(words, first);
}

std::optional<WrongContent> Content::wrong(std::span<std::uint64_t> words, std::int64_t bytes, int owner, int number,
                                           std::int64_t at) const {
  if (bytes == 0) return std::nullopt;
  const std::span<std::uint64_t> compared = words.first(static_cast<std::size_t>(words_for(bytes)));
  const auto in_last = static_cast<std::size_t>(bytes - 8 * (words_for(bytes) - 1));
  if (in_last < 8) {
    const std::uint64_t right = pattern_.word(origin(owner, number, at + bytes - static_cast<std::int64_t>(in_last)));
    std::memcpy(reinterpret_cast<std::byte*>(&compared.back()) + in_last,
                reinterpret_cast<const std::byte*>(&right) + in_last, 8 - in_last);
  }
  const storage::Wrong found = pattern_.compare(compared, origin(owner, number, at), ranks_);
  if (found.words == 0) return std::nullopt;
  return WrongContent{found.kind, at + found.first, found.found};
}

}  // namespace staging
