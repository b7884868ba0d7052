// What must hold before the first byte is written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "measure/check.hpp"
#include "settings.hpp"
#include "storage/alignment.hpp"
#include "storage/work_folder.hpp"

namespace io_throughput {

// Calls of the system, with the planted faults of this launch.
std::unique_ptr<tenken::storage::SystemCalls> calls_of(const tenken::Check& check, const Settings& settings);

// Collective: bytes of the data of a rank that are in memory at a time, the same on all ranks. Files that outgrow the
// page cache need most of the memory of a node or of its control group.
std::int64_t buffer_bytes(const tenken::Check& check, const Settings& settings,
                          const tenken::storage::WorkFolder& folder);

// Collective. Throws UserError on all ranks: layout and cache state against the nodes, space, memory.
void require_possible(const tenken::Check& check, const Settings& settings, const tenken::storage::WorkFolder& folder,
                      std::int64_t buffer);

// Collective. Of direct calls; empty where they are refused. Throws UserError (lacking) where the case needs them.
std::optional<tenken::storage::Alignment> alignment_of(const tenken::Check& check, const Settings& settings,
                                                       tenken::storage::SystemCalls& system,
                                                       const tenken::storage::WorkFolder& folder);

}  // namespace io_throughput
