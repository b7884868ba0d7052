// A launch by its parameters.
#pragma once

#include <cstdint>

#include "base/parameters.hpp"
#include "storage/cache_state.hpp"
#include "tree.hpp"

namespace staging {

enum class Variant { stage_in, checkpoint, stage_out };
const char* name_of(Variant variant);

enum class Source { broadcast, every_rank, own };

struct Settings {
  Variant variant = Variant::stage_in;
  Source source = Source::broadcast;
  bool one_file = false;  // stage_out: the ranks write into one file
  TreeSizes tree{};
  std::int64_t bytes = 0;     // of a rank: checkpoint and stage_out
  std::int64_t transfer = 0;  // bytes, a multiple of 8
  tenken::storage::CacheState cache = tenken::storage::CacheState::cached;
  bool sync = true;
  std::int64_t floor = 0;
};

// Throws UserError (refused) where the parameters do not fit each other.
Settings settings_of(const tenken::Parameters& parameters, int ranks);

}  // namespace staging
