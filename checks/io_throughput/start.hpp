// What must hold before the first byte is written.
#pragma once

#include <memory>
#include <optional>

#include "measure/check.hpp"
#include "settings.hpp"
#include "storage/alignment.hpp"
#include "storage/work_folder.hpp"

namespace io_throughput {

// Calls of the system, with the planted faults of this launch.
std::unique_ptr<tenken::storage::SystemCalls> calls_of(const tenken::Check& check, const Settings& settings);

// Collective. Throws UserError on all ranks: layout and cache state against the nodes, space, memory.
void require_possible(const tenken::Check& check, const Settings& settings, const tenken::storage::WorkFolder& folder);

// Collective. Of direct calls; empty where they are refused. Throws UserError (lacking) where the case needs them.
std::optional<tenken::storage::Alignment> alignment_of(const tenken::Check& check, const Settings& settings,
                                                       tenken::storage::SystemCalls& system,
                                                       const tenken::storage::WorkFolder& folder);

}  // namespace io_throughput
