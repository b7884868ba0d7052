#include "measure/device.hpp"

#include <dlfcn.h>

#include "base/error.hpp"

namespace tenken {

int cuda_devices(std::string& why, const char* driver) {
  void* library = dlopen(driver, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    why = "no CUDA driver is installed (" + std::string(driver) + " was looked for)";
    return 0;
  }
  // Part of the driver's stable interface; the library stays open, because drivers start threads.
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
  const auto count_devices = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDeviceGetCount"));
  if (init == nullptr || count_devices == nullptr) {
    why = std::string(driver) + " is no CUDA driver";
    return 0;
  }
  int count = 0;
  const int error = init(0);
  if (error == 0 && count_devices(&count) == 0 && count > 0) return count;
  why = "the CUDA driver finds no device" + (error == 0 ? std::string() : " (error " + std::to_string(error) + ")");
  return 0;
}

void require_device(const CheckTable& table, std::string_view variant) {
  for (const VariantSpec& one : table.variants) {
    std::string why;
    if (one.cuda && one.name == variant && cuda_devices(why) == 0)
      lacking("no device: " + why + ", and variant '" + std::string(variant) + "' needs one");
  }
}

}  // namespace tenken
