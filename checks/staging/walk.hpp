// All entries below a folder.
#pragma once

#include <string>
#include <vector>

#include "storage/system_calls.hpp"
#include "tree.hpp"

namespace staging {

// The entries of the tree `top` in `folder`, by name, each folder before its content. Follows no link. Throws UserError
// (impossible) for an entry that cannot be read, for a device, socket or pipe, and for a link that leads out.
std::vector<Entry> walk(tenken::storage::SystemCalls& system, int folder, const std::string& top);

// True where the target of the link `path`, a path from the top of the tree, may lie outside of the tree: an absolute
// target, more ".." than folders above the link, or a ".." behind a name, which another link may give another meaning.
bool leads_out(const std::string& path, const std::string& target);

}  // namespace staging
