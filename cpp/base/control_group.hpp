// The control group of this process (versions 1 and 2), and the memory that it may use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/tree.hpp"

namespace tenken {

// The folders of a control group and all groups above it: a limit of any of them binds.
std::vector<std::string> with_parents(const std::string& mount, const std::string& group);

// Path of this process in the hierarchy that has `controller` (version 1), or in the unified one (empty name).
std::optional<std::string> group_of(const Tree& tree, std::string_view controller);

// Bytes; the least limit of this group and of all groups above it, empty where there is none.
std::optional<std::int64_t> memory_limit(const Tree& tree);

// Bytes that the limits of these groups leave; files in the page cache give way. Empty where there is no limit.
std::optional<std::int64_t> memory_left(const Tree& tree);

}  // namespace tenken
