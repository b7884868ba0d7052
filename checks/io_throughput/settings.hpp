// What a launch does, from its parameters.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/parameters.hpp"
#include "places.hpp"
#include "storage/cache_state.hpp"

namespace io_throughput {

struct Settings {
  bool mpi_io = false;
  Places places;
  tenken::storage::CacheState cache = tenken::storage::CacheState::dropped;
  bool sync = true;
  std::int64_t floor = 0;

  bool direct() const { return cache == tenken::storage::CacheState::direct; }
};

// Throws UserError (refused) where the parameters do not fit each other.
Settings settings_of(const tenken::Parameters& parameters, int rank, int ranks);

// Of direct reads and writes: throws UserError (refused) where calls cannot lie on multiples of `alignment` bytes.
void require_aligned(const Places& places, std::int64_t alignment);

}  // namespace io_throughput
