// Faults in files: other content, less content, no file.
#pragma once

#include <cstdint>
#include <string>

#include "content.hpp"

namespace staging {

struct Planted {
  int folder;
  std::string path;
  int owner, number;
  std::int64_t at, bytes;  // of the owner in the file
};

// Nothing where the fault is no fault of a file's content. Throws UserError (impossible) where it cannot be planted.
void plant_in_file(const std::string& fault, const Planted& in, const Content& content);

}  // namespace staging
