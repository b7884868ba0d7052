// Whether what a check will write fits: asked before the first byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "storage/system_calls.hpp"

namespace tenken::storage {

// Bytes that stay free: 10 % of the file system or 2 GiB, the larger, unless `stated` (0: not stated).
std::int64_t floor_of(const Space& space, std::int64_t stated);

// Throws UserError (impossible), with the size that fits, where `bytes` would leave less than `floor` free or exceed
// the quota. `root`: what the user typed.
void require_space(const Space& space, std::int64_t bytes, std::int64_t floor, const std::string& root);

// The same where `files` would leave less than 10 % of the free files (inodes). Nothing where the system does not count
// files.
void require_files(const Space& space, std::int64_t files, const std::string& root);

// "1.5 GiB"
std::string bytes_text(std::int64_t bytes);

}  // namespace tenken::storage
