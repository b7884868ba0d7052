#include "gpu/monitor.hpp"

#include <dlfcn.h>

#include <utility>

namespace tenken::gpu {

namespace {

// Of NVML's stable interface (nvml.h): names, numbers and types of arguments do not change between drivers.
constexpr int success = 0;
constexpr int clock_sm = 1;
constexpr int sensor_chip = 0;
constexpr std::pair<std::uint64_t, const char*> slowing[] = {
    {0x4, "power limit"},           {0x8, "hardware slowdown"},       {0x20, "heat"},
    {0x40, "heat (hardware)"},      {0x80, "power brake (hardware)"}, {0x10, "cards in step"},
    {0x100, "clock of the display"}};

using Card = void*;

}  // namespace

struct Monitor::Library {
  std::string missing;
  int (*find)(const char*, Card*) = nullptr;
  int (*clock)(Card, int, unsigned*) = nullptr;
  int (*power)(Card, unsigned*) = nullptr;
  int (*temperature)(Card, int, unsigned*) = nullptr;
  int (*reasons)(Card, unsigned long long*) = nullptr;
};

std::string reason_words(std::uint64_t reasons) {
  std::string words;
  for (const auto& [bit, name] : slowing) {
    if ((reasons & bit) != 0) words += (words.empty() ? "" : ", ") + std::string(name);
  }
  return words;
}

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

}  // namespace tenken::gpu
