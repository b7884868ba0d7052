// Where each call of write or read of a rank lies in its file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace io_throughput {

// IOR's names: file_a_rank is -F, segmented a block larger than the transfer, strided a block of one transfer and many
// segments (https://ior.readthedocs.io, options -F, -b, -s, -t).
enum class Layout { file_a_rank, segmented, strided };

inline Layout layout_from(std::string_view name) {
  if (name == "segmented") return Layout::segmented;
  return name == "strided" ? Layout::strided : Layout::file_a_rank;
}

struct Places {
  Layout layout = Layout::file_a_rank;
  int rank = 0;
  int ranks = 1;
  std::int64_t bytes = 0;     // of each rank
  std::int64_t transfer = 1;  // of each call but the last, which may be shorter

  std::int64_t calls() const { return (bytes + transfer - 1) / transfer; }
  std::int64_t length(std::int64_t call) const { return std::min(transfer, bytes - call * transfer); }
  // Bytes from the beginning of the file.
  std::int64_t at(std::int64_t call) const {
    if (layout == Layout::strided) return (call * ranks + rank) * transfer;
    return (layout == Layout::segmented ? rank * bytes : 0) + call * transfer;
  }
  bool shared() const { return layout != Layout::file_a_rank; }
  std::int64_t file_bytes() const { return shared() ? bytes * ranks : bytes; }
  std::string file() const { return shared() ? "data" : "data." + std::to_string(rank); }

  Places of(int other) const {
    Places places = *this;
    places.rank = other;
    return places;
  }
};

}  // namespace io_throughput
