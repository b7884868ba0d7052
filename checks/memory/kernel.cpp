#include "kernel.hpp"

#include <stdexcept>

#include "base/random.hpp"

namespace memory {

namespace {

template <std::size_t streams>
std::uint64_t read_by(std::span<const std::uint64_t> words) {
  const std::size_t part = words.size() / streams / line_words * line_words;
  const std::uint64_t* const from = words.data();
  std::uint64_t sums[streams][line_words] = {};
  for (std::size_t i = 0; i < part; i += line_words) {
    for (std::size_t s = 0; s < streams; ++s) {
      for (std::size_t k = 0; k < line_words; ++k) sums[s][k] += from[s * part + i + k];
    }
  }
  std::uint64_t total = 0;
  for (const auto& stream : sums) {
    for (const std::uint64_t sum : stream) total += sum;
  }
  for (std::size_t i = streams * part; i < words.size(); ++i) total += from[i];
  return total;
}

}  // namespace

bool can_read(int streams) { return streams == 1 || streams == 2 || streams == 4 || streams == 8; }

std::uint64_t read(std::span<const std::uint64_t> words, int streams) {
  switch (streams) {
    case 1:
      return read_by<1>(words);
    case 2:
      return read_by<2>(words);
    case 4:
      return read_by<4>(words);
    case 8:
      return read_by<8>(words);
    default:
      throw std::logic_error("a number of streams that is not 1, 2, 4 or 8");
  }
}

std::uint64_t fill(std::span<std::uint64_t> words, std::uint64_t seed) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = tenken::mix64(seed * 0x9e3779b97f4a7c15u + i);
    total += words[i];
  }
  return total;
}

}  // namespace memory
