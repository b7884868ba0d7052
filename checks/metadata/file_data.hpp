// The content of the files of a rank, each in a slot of whole words: the words of cpp/storage/pattern.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/buffer.hpp"
#include "storage/pattern.hpp"

namespace metadata {

// Bytes of a slot: the file's bytes up to the next multiple of 8.
constexpr std::int64_t padded(std::int64_t bytes) { return (bytes + 7) / 8 * 8; }

// The content of a file that is not as expected. Offsets are bytes from the beginning of the file.
struct WrongContent {
  tenken::storage::WrongKind kind = tenken::storage::WrongKind::other_bytes;
  std::int64_t at = 0;
  int found_launch = 0, found_rank = 0, found_file = 0;  // of stale and exchanged data
};

class FileData {
 public:
  FileData(int files, std::int64_t bytes, int ranks, std::uint64_t launch);

  std::int64_t bytes() const { return bytes_; }
  std::byte* of(int file) { return reinterpret_cast<std::byte*>(words_.data()) + file * slot(); }

  void fill(int writer, std::int64_t pass);  // with the content of all files of a rank
  void fill_unread();                        // with words that no file contains
  // After a read into of(file). Empty where the content is that of the writer.
  std::optional<WrongContent> wrong(int writer, std::int64_t pass, int file);

 private:
  std::int64_t slot() const { return padded(bytes_); }
  tenken::storage::Origin origin(int writer, std::int64_t pass, int file) const;

  std::int64_t bytes_;
  int ranks_, launch_;
  tenken::storage::Pattern pattern_;
  tenken::Buffer<std::uint64_t> words_;
};

}  // namespace metadata
