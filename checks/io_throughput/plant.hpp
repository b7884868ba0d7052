// Faults in files: between write and read, outside of timing.
#pragma once

#include <cstdint>
#include <string>

#include "rank_data.hpp"

namespace io_throughput {

// Changes the file of `places` in `folder` as `fault` says; nothing for faults of other kinds.
void plant_in_file(int folder, const std::string& fault, const Places& places, const RankData& data, std::int64_t pass);

}  // namespace io_throughput
