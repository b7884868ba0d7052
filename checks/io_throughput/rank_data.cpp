#include "rank_data.hpp"

namespace io_throughput {

using namespace tenken;
using storage::Origin;
using storage::WrongKind;

namespace {
constexpr std::uint64_t seed = 35;
}

RankData::RankData(const Places& places, std::uint64_t launch, std::int64_t most)
    : places_(places),
      launch_(static_cast<int>(launch % Origin::launches)),
      calls_of_part_(std::min(places.calls(), std::min(most, Origin::bytes) / places.transfer)),
      pattern_(seed),
      buffer_(static_cast<std::size_t>(calls_of_part_ * places.transfer / 8), Pages::any, "the data of a rank") {}

std::int64_t RankData::bytes(std::int64_t part) const {
  const std::int64_t last = end_call(part) - 1;
  return (last - first_call(part)) * places_.transfer + places_.length(last);
}

Origin RankData::origin(int launch, int writer, std::int64_t pass, std::int64_t part) const {
  return {launch, writer, static_cast<int>((pass * parts() + part) % Origin::files), 0};
}

void RankData::fill(int writer, std::int64_t pass, std::int64_t part) {
  pattern_.fill(words(part), origin(launch_, writer, pass, part));
}

void RankData::fill_unread(std::int64_t part) { storage::Pattern::fill_unread(words(part)); }

void RankData::words_of(int launch, int writer, std::int64_t pass, std::int64_t from,
                        std::span<std::uint64_t> words) const {
  const std::int64_t part_bytes = calls_of_part_ * places_.transfer;
  Origin first = origin(launch, writer, pass, from / part_bytes);
  first.offset = from % part_bytes;
  pattern_.fill(words, first);
}

std::int64_t RankData::in_file(int writer, std::int64_t offset) const {
  const std::int64_t call = std::min(offset / places_.transfer, places_.calls() - 1);
  return places_.of(writer).at(call) + offset - call * places_.transfer;
}

void RankData::compare(int writer, std::int64_t pass, std::int64_t part, std::int64_t got, std::int64_t file_bytes) {
  const Origin expected = origin(launch_, writer, pass, part);
  storage::Wrong wrong = pattern_.compare(words(part), expected, places_.ranks);
  if (wrong.words == 0) return;
  if (got < bytes(part) && wrong.kind == WrongKind::nothing_read) wrong.kind = WrongKind::short_file;
  const bool first = wrong_.words == 0;
  wrong_.words += wrong.words;
  if (!first) return;
  const std::int64_t part_begin = part * calls_of_part_ * places_.transfer;
  wrong_.kind = static_cast<std::int64_t>(wrong.kind);
  wrong_.writer = writer;
  wrong_.at = in_file(writer, part_begin + wrong.first);
  wrong_.found_launch = wrong.found.launch;
  wrong_.found_rank = wrong.found.rank;
  wrong_.found_at = in_file(wrong.found.rank, part_begin + wrong.found.offset);
  wrong_.file_bytes = file_bytes;
  wrong_.expected_bytes = places_.file_bytes();
}

}  // namespace io_throughput
