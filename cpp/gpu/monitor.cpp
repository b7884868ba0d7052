#include "gpu/monitor.hpp"

#include <dlfcn.h>

#include <type_traits>

namespace tenken::gpu {

namespace {

// Of NVML's stable interface (nvml.h): names, numbers and types of arguments do not change between drivers.
constexpr int success = 0;
constexpr int clock_sm = 1;
constexpr int sensor_chip = 0;
constexpr int uncorrected = 1;
constexpr int since_driver_start = 0;

using Card = void*;

}  // namespace

struct Monitor::Library {
  std::string missing;
  int (*find)(const char*, Card*) = nullptr;
  int (*clock)(Card, int, unsigned*) = nullptr;
  int (*power)(Card, unsigned*) = nullptr;
  int (*temperature)(Card, int, unsigned*) = nullptr;
  int (*reasons)(Card, unsigned long long*) = nullptr;
  int (*pages_pending)(Card, int*) = nullptr;
  int (*remapped_rows)(Card, unsigned*, unsigned*, unsigned*, unsigned*) = nullptr;
  int (*errors)(Card, int, int, unsigned long long*) = nullptr;
};

Monitor::Monitor(const char* library) : library_(std::make_unique<Library>()) {
  void* const opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);  // stays open: drivers start threads
  if (opened == nullptr) {
    library_->missing = std::string(library) + " was not found, so clock and power of cards are not read";
    return;
  }
  const auto take = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(opened, name));
  };
  int (*init)() = nullptr;
  take(init, "nvmlInit_v2");
  take(library_->find, "nvmlDeviceGetHandleByPciBusId_v2");
  take(library_->clock, "nvmlDeviceGetClockInfo");
  take(library_->power, "nvmlDeviceGetPowerUsage");
  take(library_->temperature, "nvmlDeviceGetTemperature");
  take(library_->reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  take(library_->pages_pending, "nvmlDeviceGetRetiredPagesPendingStatus");
  take(library_->remapped_rows, "nvmlDeviceGetRemappedRows");
  take(library_->errors, "nvmlDeviceGetTotalEccErrors");
  if (init == nullptr || library_->find == nullptr) {
    library_->missing = std::string(library) + " is no NVML";
  } else if (const int error = init(); error != success) {
    library_->missing = "NVML does not start (error " + std::to_string(error) + ")";
  }
}

Monitor::~Monitor() = default;

const std::string& Monitor::missing() const { return library_->missing; }

Reading Monitor::read(const std::string& bus) const {
  const Library& of = *library_;
  Card card = nullptr;
  if (!of.missing.empty() || of.find(bus.c_str(), &card) != success) return {};
  Reading reading;
  unsigned value = 0;
  unsigned long long bits = 0;
  if (of.clock != nullptr && of.clock(card, clock_sm, &value) == success) reading.clock_hz = 1e6 * value;
  if (of.power != nullptr && of.power(card, &value) == success) reading.power_w = 1e-3 * value;
  if (of.temperature != nullptr && of.temperature(card, sensor_chip, &value) == success) reading.temperature_c = value;
  if (of.reasons != nullptr && of.reasons(card, &bits) == success) reading.reasons = bits;
  return reading;
}

Health Monitor::health(const std::string& bus) const {
  const Library& of = *library_;
  Card card = nullptr;
  if (!of.missing.empty() || of.find(bus.c_str(), &card) != success) return {};
  Health health;
  int pages = 0;
  unsigned corrected_rows = 0, uncorrected_rows = 0, pending = 0, failed = 0;
  unsigned long long count = 0;
  if (of.pages_pending != nullptr && of.pages_pending(card, &pages) == success) health.repair_pending = pages != 0;
  if (of.remapped_rows != nullptr &&
      of.remapped_rows(card, &corrected_rows, &uncorrected_rows, &pending, &failed) == success) {
    health.repair_pending = health.repair_pending.value_or(false) || pending != 0;
    health.repair_failed = failed != 0;
  }
  if (of.errors != nullptr && of.errors(card, uncorrected, since_driver_start, &count) == success)
    health.uncorrected_errors = count;
  return health;
}

}  // namespace tenken::gpu
