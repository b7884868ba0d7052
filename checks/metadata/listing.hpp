// The files that lie in folders, as the folders list them: independent of the calls that made them.
#pragma once

#include <cstdint>
#include <vector>

#include "places.hpp"
#include "storage/system_calls.hpp"

namespace metadata {

struct Listing {
  std::vector<std::int64_t> of_writer;  // files by the rank that makes them
  std::int64_t strange = 0;             // entries that no rank makes
  std::vector<Made> first;              // of the files, the first few
  static constexpr std::size_t most_named = 16;

  explicit Listing(int ranks) : of_writer(static_cast<std::size_t>(ranks)) {}
  std::int64_t all() const;  // entries
};

// Adds the entries of folder `path`. Throws UserError (impossible) where the folder cannot be opened.
void list_into(Listing& listing, tenken::storage::SystemCalls& system, int folder, const std::string& path,
               const Places& places);

}  // namespace metadata
