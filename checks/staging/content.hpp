// The content of files: the words of cpp/storage/pattern.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "storage/pattern.hpp"

namespace staging {

// Of a file whose content is not as expected.
struct WrongContent {
  tenken::storage::WrongKind kind = tenken::storage::WrongKind::other_bytes;
  std::int64_t at = 0;  // bytes from the beginning of the file of this owner
  tenken::storage::Origin found{};
};

class Content {
 public:
  Content(std::uint64_t launch, int ranks);

  int launch() const { return launch_; }

  // The words of file `number` of a rank from offset `at` on, a multiple of 8.
  void fill(std::span<std::uint64_t> words, int owner, int number, std::int64_t at) const;
  // The same as an earlier launch wrote them.
  void fill_stale(std::span<std::uint64_t> words, int owner, int number, std::int64_t at) const;

  // `words` has the file's `bytes` bytes from offset `at` on; the rest of the last word is not compared.
  std::optional<WrongContent> wrong(std::span<std::uint64_t> words, std::int64_t bytes, int owner, int number,
                                    std::int64_t at) const;

 private:
  tenken::storage::Origin origin(int owner, int number, std::int64_t at) const;

  int launch_, ranks_;
  tenken::storage::Pattern pattern_;
};

constexpr std::int64_t words_for(std::int64_t bytes) { return (bytes + 7) / 8; }

}  // namespace staging
