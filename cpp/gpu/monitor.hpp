// Clock, power, temperature and the reasons of a lower clock of a card, from the library of the driver's tools (NVML).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tenken::gpu {

// What the driver does not report is empty.
struct Reading {
  std::optional<double> clock_hz;        // of the multiprocessors
  std::optional<double> power_w;         // of the card, averaged by the driver
  std::optional<double> temperature_c;   // of the chip
  std::optional<std::uint64_t> reasons;  // why the clock is below its highest: bits as NVML has them
};

// Of "power limit, heat" and the like; empty where no reason slows the card. Bits of NVML's clock event reasons that
// only mean an idle card or a clock that was asked for are left out.
std::string reason_words(std::uint64_t reasons);

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

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace tenken::gpu
