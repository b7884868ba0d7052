// Conditions that are checked before the first file is made.
#pragma once

#include "measure/check.hpp"
#include "settings.hpp"
#include "storage/work_folder.hpp"

namespace staging {

// Collective: names of the tree that both file systems permit, the same on all ranks.
void fit_names(const tenken::Check& check, Settings& settings, tenken::storage::SystemCalls& system,
               const tenken::storage::WorkFolder& global, const tenken::storage::WorkFolder& local);

// Collective. Throws UserError on all ranks: folders that ranks must share, memory, files and bytes of both roots.
void require_possible(const tenken::Check& check, const Settings& settings, tenken::storage::SystemCalls& system,
                      const tenken::storage::WorkFolder& global, const tenken::storage::WorkFolder& local);

}  // namespace staging
