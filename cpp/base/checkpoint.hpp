// Files that a computation goes on from after it was killed: one a rank, written beside and renamed when it is
// complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>
#include <string>

#include "base/error.hpp"

namespace tenken {

// Who may go on from a file: the same input, stage and share of the work.
struct CheckpointKey {
  std::uint64_t input = 0;           // fingerprint() of all that changes the answer
  std::string stage;                 // such as "real time"; at most 15 characters
  std::int64_t first = 0, last = 0;  // share of this rank
  std::int32_t rank = 0, ranks = 1;
};

// Of `before` and something more.
std::uint64_t fingerprint(std::uint64_t before, const void* data, std::size_t bytes);
template <class T>
std::uint64_t fingerprint(std::uint64_t before, const T& value) {
  return fingerprint(before, &value, sizeof value);
}

// write: puts the contents. Throws UserError (impossible) where the file cannot be written.
void save_checkpoint(const std::string& path, const CheckpointKey& key,
                     const std::function<void(std::ostream&)>& write);

// A file that was a checkpoint, or is named as one, and cannot be read in whole.
struct DamagedCheckpoint : UserError {
  explicit DamagedCheckpoint(const std::string& sentence) : UserError(ExitCode::refused, sentence) {}
};

// read: gets the contents, false where they end too early. False where there is no such file; throws UserError
// (refused) where it is damaged (DamagedCheckpoint) or of another input, stage or layout.
bool load_checkpoint(const std::string& path, const CheckpointKey& key, const std::function<bool(std::istream&)>& read);

// Raw numbers of a checkpoint.
template <class T>
void put(std::ostream& out, const T* data, std::size_t n) {
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(n * sizeof(T)));
}

template <class T>
bool get(std::istream& in, T* data, std::size_t n) {
  in.read(reinterpret_cast<char*>(data), static_cast<std::streamsize>(n * sizeof(T)));
  return static_cast<bool>(in);
}

}  // namespace tenken
