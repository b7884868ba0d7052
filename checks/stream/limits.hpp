// Sizes that fit in a cache measure the cache.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stream {

// Bytes of all caches of the last level on this node, each counted once; 0 where the system does not tell.
// `processors` is /sys/devices/system/cpu or a copy of it.
std::int64_t last_level_cache_bytes(const std::string& processors = "/sys/devices/system/cpu");

// Throws UserError for arrays that fit in the last-level cache, unless `allowed`, and for teams of more than `threads`.
// Returns whether they fit: such a result is named so.
bool require_sizes(std::int64_t size, bool allowed, int node_ranks, const std::vector<std::int64_t>& teams,
                   int threads);

// The sentence that refuses three arrays of `size` bytes on each of `ranks` ranks and names the smallest size that
// works; empty where they do not fit in `cache` bytes.
std::string refusal(std::int64_t size, int ranks, std::int64_t cache);

// The same on a card with this cache of its last level.
std::string refusal_on_card(std::int64_t size, const std::string& card, std::int64_t cache);

// How many passes one timed call makes: over arrays in cache a single pass is too short to be timed.
int passes_over(std::int64_t size, bool in_cache);

}  // namespace stream
