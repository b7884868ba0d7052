// Faults in calls of the system: a full disk, a slow root, a cache that is not dropped, writes that wait for close.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/system_calls.hpp"

namespace io_throughput {

class PlantedCalls : public tenken::storage::SystemCalls {
 public:
  // `here`: the faults of one rank are on this one. `bytes`: of each rank.
  PlantedCalls(std::string fault, bool here, std::int64_t bytes);

  ssize_t read(int file, void* into, std::size_t bytes, off_t at) override;
  ssize_t write(int file, const void* from, std::size_t bytes, off_t at) override;
  int sync(int file) override;
  int close(int file) override;
  int drop_cache(int file) override;

 private:
  void perhaps_late();

  struct Waiting {
    int file;
    const void* from;
    std::size_t bytes;
    off_t at;
  };

  std::string fault_;
  bool here_;
  std::int64_t left_;  // bytes until the disk is full
  int calls_ = 0;
  std::vector<Waiting> waiting_;
};

}  // namespace io_throughput
