// Faults in calls of the system on files of the check: calls that do nothing, late calls, a full disk.
#pragma once

#include <string>

#include "storage/system_calls.hpp"

namespace metadata {

class PlantedCalls : public tenken::storage::SystemCalls {
 public:
  // `here`: the fault is on this rank. `files`: of a rank.
  PlantedCalls(std::string fault, bool here, int files) : fault_(here ? std::move(fault) : "none"), left_(files / 2) {}

  int open_at(int folder, const char* name, int flags, mode_t mode) override;
  int status_at(int folder, const char* name, struct stat& into) override;
  ssize_t read(int file, void* into, std::size_t bytes, off_t at) override;
  int remove(int folder, const char* name, int flags) override;

 private:
  void perhaps_late();

  std::string fault_;
  int left_;  // files until the disk is full
  int calls_ = 0;
};

}  // namespace metadata
