// The data of a rank in parts that fit its buffer, and what was wrong in data that were read.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/buffer.hpp"
#include "places.hpp"
#include "storage/pattern.hpp"

namespace io_throughput {

// The first wrong data of a rank. Offsets are bytes from the beginning of the file.
struct WrongData {
  std::int64_t words = 0;  // in all passes
  std::int64_t kind = 0;   // tenken::storage::WrongKind
  std::int64_t writer = 0;
  std::int64_t at = 0;
  std::int64_t found_launch = 0, found_rank = 0, found_at = 0;
  std::int64_t file_bytes = 0, expected_bytes = 0;
};
constexpr int numbers_of_wrong_data = 9;
static_assert(sizeof(WrongData) == numbers_of_wrong_data * sizeof(std::int64_t));

class RankData {
 public:
  // `launch`: any number of the launch. `most`: bytes of a part at most, at least a transfer; the same on all ranks.
  RankData(const Places& places, std::uint64_t launch, std::int64_t most = tenken::storage::Origin::bytes);

  int launch() const { return launch_; }
  std::int64_t parts() const { return (places_.calls() + calls_of_part_ - 1) / calls_of_part_; }
  std::int64_t first_call(std::int64_t part) const { return part * calls_of_part_; }
  std::int64_t end_call(std::int64_t part) const { return std::min(places_.calls(), (part + 1) * calls_of_part_); }
  std::int64_t bytes(std::int64_t part) const;
  std::byte* at_call(std::int64_t call) {
    return reinterpret_cast<std::byte*>(buffer_.data()) + call % calls_of_part_ * places_.transfer;
  }

  // What rank `writer` writes in pass `pass`, into the buffer.
  void fill(int writer, std::int64_t pass, std::int64_t part);
  // Words that no file holds.
  void fill_unread(std::int64_t part);
  // The buffer against what `writer` wrote. `got`: bytes that the reads gave.
  void compare(int writer, std::int64_t pass, std::int64_t part, std::int64_t got, std::int64_t file_bytes);
  const WrongData& wrong() const { return wrong_; }

  // Words of `bytes` bytes from `from` on (bytes of the rank's data), of launch `launch`; into `words`.
  void words_of(int launch, int writer, std::int64_t pass, std::int64_t from, std::span<std::uint64_t> words) const;

 private:
  tenken::storage::Origin origin(int launch, int writer, std::int64_t pass, std::int64_t part) const;
  std::int64_t in_file(int writer, std::int64_t offset) const;
  std::span<std::uint64_t> words(std::int64_t part) {
    return {buffer_.data(), static_cast<std::size_t>(bytes(part) / 8)};
  }

  Places places_;
  int launch_;
  std::int64_t calls_of_part_;
  tenken::storage::Pattern pattern_;
  tenken::Buffer<std::uint64_t> buffer_;
  WrongData wrong_;
};

}  // namespace io_throughput
