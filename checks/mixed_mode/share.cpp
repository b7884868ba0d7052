#include "share.hpp"

namespace mixed_mode {

WrongShare compare(std::span<const std::uint64_t> words, const Origin& of, int threads) {
  constexpr std::int64_t most_late = 64;
  WrongShare wrong;
  const std::uint64_t right = first_word(of);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == right + i * step || wrong.words++ > 0) continue;
    wrong.first = static_cast<std::int64_t>(i);
    const std::uint64_t first = words[i] - i * step;
    Origin other = of;
    for (other.thread = 0; other.thread < threads; ++other.thread) {
      if (first == first_word(other)) wrong.thread = other.thread;
    }
    other.thread = of.thread;
    for (std::int64_t late = 1; late <= most_late && late <= of.iteration; ++late) {
      other.iteration = of.iteration - late;
      if (first == first_word(other)) wrong.late = late;
    }
  }
  return wrong;
}

}  // namespace mixed_mode
