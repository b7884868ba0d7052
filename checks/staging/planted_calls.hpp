// Faults in calls of the system on files of the check: late writes, a full disk, calls without effect.
#pragma once

#include <cstdint>
#include <string>

#include "storage/system_calls.hpp"

namespace staging {

class PlantedCalls : public tenken::storage::SystemCalls {
 public:
  // `here`: the fault is on this rank. `bytes`: that the rank may write until the disk is full.
  PlantedCalls(std::string fault, bool here, std::int64_t bytes)
      : fault_(here || fault == "cached_read" ? std::move(fault) : "none"), left_(bytes) {}

  ssize_t write(int file, const void* from, std::size_t bytes, off_t at) override;
  int rename(int folder, const char* from, const char* to) override;
  int drop_cache(int file) override;

 private:
  std::string fault_;
  std::int64_t left_;
  int calls_ = 0;
};

}  // namespace staging
