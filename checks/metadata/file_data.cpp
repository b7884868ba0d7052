#include "file_data.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace metadata {

using namespace tenken;
using storage::Origin;
using storage::WrongKind;

namespace {
constexpr std::uint64_t seed = 36;
}

FileData::FileData(int files, std::int64_t bytes, int ranks, std::uint64_t launch)
    : bytes_(bytes),
      ranks_(ranks),
      launch_(static_cast<int>(launch % Origin::launches)),
      pattern_(seed),
      words_(std::max<std::size_t>(1, static_cast<std::size_t>(files * slot() / 8)), Pages::any,
             "the content of the files of a rank") {}

Origin FileData::origin(int writer, std::int64_t pass, int file) const {
  return {launch_, writer, static_cast<int>(pass % Origin::files), file * slot()};
}

void FileData::fill(int writer, std::int64_t pass) {
  if (bytes_ > 0) pattern_.fill({words_.data(), words_.size()}, origin(writer, pass, 0));
}

void FileData::fill_unread() { storage::Pattern::fill_unread({words_.data(), words_.size()}); }

std::optional<WrongContent> FileData::wrong(int writer, std::int64_t pass, int file) {
  if (bytes_ == 0) return std::nullopt;
  const Origin expected = origin(writer, pass, file);
  const std::span<std::uint64_t> words{reinterpret_cast<std::uint64_t*>(of(file)),
                                       static_cast<std::size_t>(slot() / 8)};
  if (slot() != bytes_) {  // the end of the last word lies behind the end of the file
    Origin last = expected;
    last.offset += slot() - 8;
    const std::uint64_t right = pattern_.word(last);
    const auto in_file = static_cast<std::size_t>(bytes_ - (slot() - 8));
    std::memcpy(reinterpret_cast<std::byte*>(&words.back()) + in_file,
                reinterpret_cast<const std::byte*>(&right) + in_file, 8 - in_file);
  }
  const storage::Wrong found = pattern_.compare(words, expected, ranks_);
  if (found.words == 0) return std::nullopt;
  WrongContent wrong{found.kind, found.first};
  if (found.kind == WrongKind::stale || found.kind == WrongKind::exchanged) {
    wrong.found_launch = found.found.launch;
    wrong.found_rank = found.found.rank;
    wrong.found_file = static_cast<int>(found.found.offset / slot());
  }
  return wrong;
}

}  // namespace metadata
