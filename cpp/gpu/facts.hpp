// Facts of a card, as the runtime reports them.
#pragma once

#include <cstdint>
#include <string>

namespace tenken::gpu {

struct Facts {
  int index = 0;     // as the runtime numbers the cards that this process may see
  int count = 0;     // of those cards
  std::string name;  // "NVIDIA H100 80GB HBM3"
  std::string bus;   // "0000:3B:00.0"
  std::string id;    // "GPU-…" as nvidia-smi prints it; parts of a partitioned card differ. Empty: not reported
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t free_bytes = 0;   // of the chosen card; 0 of others
  double memory_rate = 0;        // byte/s by memory clock and bus width, two transfers a clock; 0: not reported
  std::int64_t cache_bytes = 0;  // of the last-level cache of the card
  int driver = 0;                // the newest CUDA that the driver supports, 12040 for 12.4
  int runtime = 0;               // the CUDA of the build
};

// "12.4" of 12040.
inline std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace tenken::gpu
