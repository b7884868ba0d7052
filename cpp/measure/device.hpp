// Whether a device is there for kernels that need one. Asked of the driver at run time, so that programs are built and
// start where there is neither driver nor device.
#pragma once

#include <string>
#include <string_view>

#include "base/table.hpp"

namespace tenken {

// CUDA devices that this process may use. Where there is none, 0 and `why` says so in half a sentence.
int cuda_devices(std::string& why, const char* driver = "libcuda.so.1");

// Ends with code `lacking` where the variant runs on a CUDA device and none is here.
void require_device(const CheckTable& table, std::string_view variant);

}  // namespace tenken
