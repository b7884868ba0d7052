// Files that a computation goes on from after it was killed: one a rank, written beside and renamed when it is
// complete.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>

#include "numerics/dft/system.hpp"
#include "numerics/team.hpp"

namespace tenken::dft {

// Who may go on from a file: the same input, stage and share of the work.
struct CheckpointKey {
  std::uint64_t input = 0;  // fingerprint() of all that changes the answer
  std::string stage;        // "ground state", "real time"; at most 15 characters
  Range k_range;
  std::int32_t rank = 0, ranks = 1;
};

// Of all numbers of an input.
std::uint64_t fingerprint(const Input& input);
// Of that and something more.
std::uint64_t fingerprint(std::uint64_t before, const void* data, std::size_t bytes);

// write: puts the contents. Throws UserError (impossible) where the file cannot be written.
void save_checkpoint(const std::string& path, const CheckpointKey& key,
                     const std::function<void(std::ostream&)>& write);

// read: gets the contents, false where they end too early. False where there is no such file; throws UserError
// (refused) where it is damaged or of another input, stage or layout.
bool load_checkpoint(const std::string& path, const CheckpointKey& key, const std::function<bool(std::istream&)>& read);

}  // namespace tenken::dft
