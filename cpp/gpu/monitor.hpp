// Clock, power, temperature, the reasons of a lower clock and memory errors of a card, from the library of the driver's
// tools (NVML).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/card_reasons.hpp"

namespace tenken::gpu {

// What the driver does not report is empty.
struct Reading {
  std::optional<double> clock_hz;        // of the multiprocessors
  std::optional<double> power_w;         // of the card, averaged by the driver
  std::optional<double> temperature_c;   // of the chip
  std::optional<std::uint64_t> reasons;  // why the clock is below its highest: bits as NVML has them
};

// Of the memory of a card. What the driver does not report is empty.
struct Health {
  std::optional<bool> repair_pending;               // pages to retire, or rows to remap, at the next reset of the card
  std::optional<bool> repair_failed;                // a row could not be remapped
  std::optional<std::uint64_t> uncorrected_errors;  // since the driver was loaded
};

class Monitor {
 public:
  explicit Monitor(const char* library = "libnvidia-ml.so.1");
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // Why nothing can be read; empty where it can.
  const std::string& missing() const;
  // Of the card at this bus address ("0000:3B:00.0"); takes the driver up to some milliseconds.
  Reading read(const std::string& bus) const;
  Health health(const std::string& bus) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace tenken::gpu
