// Stands for NVML with two cards: a variable sets the error of its start. The second card is slowed by its power limit,
// and has two errors, of which a repair is pending.
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {
constexpr int not_found = 6;
constexpr int not_supported = 3;
bool odd(void* card) { return reinterpret_cast<std::uintptr_t>(card) == 2; }
}  // namespace

extern "C" int nvmlInit_v2() {
  const char* error = std::getenv("FAKE_NVML_ERROR");
  return error == nullptr ? 0 : std::atoi(error);
}
extern "C" int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** card) {
  const bool first = std::strcmp(bus, "0000:3B:00.0") == 0;
  if (!first && std::strcmp(bus, "0000:5E:00.0") != 0) return not_found;
  *card = reinterpret_cast<void*>(static_cast<std::uintptr_t>(first ? 1 : 2));
  return 0;
}
extern "C" int nvmlDeviceGetClockInfo(void* card, int kind, unsigned* mhz) {
  *mhz = odd(card) ? 1410 : 1980;
  return kind == 1 ? 0 : not_supported;
}
extern "C" int nvmlDeviceGetPowerUsage(void* card, unsigned* mw) {
  *mw = 650250;
  return odd(card) ? 0 : not_supported;
}
extern "C" int nvmlDeviceGetTemperature(void*, int, unsigned* celsius) {
  *celsius = 61;
  return 0;
}
extern "C" int nvmlDeviceGetCurrentClocksThrottleReasons(void* card, unsigned long long* reasons) {
  *reasons = odd(card) ? 0x24 : 0x1;
  return 0;
}
extern "C" int nvmlDeviceGetRetiredPagesPendingStatus(void*, int*) { return not_supported; }
extern "C" int nvmlDeviceGetRemappedRows(void* card, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                                         unsigned* failed) {
  *corrected = *uncorrected = *failed = 0;
  *pending = odd(card) ? 1 : 0;
  return 0;
}
extern "C" int nvmlDeviceGetTotalEccErrors(void* card, int kind, int counter, unsigned long long* count) {
  *count = odd(card) ? 2 : 0;
  return kind == 1 && counter == 0 ? 0 : not_supported;
}
