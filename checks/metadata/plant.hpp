// Faults in files between creation and stat.
#pragma once

#include <string>

#include "places.hpp"

namespace metadata {

// In the middle file of rank `writer` below the descriptor `folder`; nothing for faults of other kinds.
void plant_in_files(int folder, const std::string& fault, const Places& places, int writer);

}  // namespace metadata
