#include "measure/device.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

using namespace tenken;

TEST_CASE("devices are counted by the driver, and where there is none it is said why") {
  std::string why;
  CHECK(cuda_devices(why, "libno-such-driver.so.1") == 0);
  CHECK(why == "no CUDA driver is installed (libno-such-driver.so.1 was looked for)");
  CHECK(cuda_devices(why, "libm.so.6") == 0);
  CHECK(why == "libm.so.6 is no CUDA driver");
  CHECK(cuda_devices(why, FAKE_CUDA) == 0);
  CHECK(why == "the CUDA driver finds no device");
  setenv("FAKE_CUDA_DEVICES", "2", 1);
  CHECK(cuda_devices(why, FAKE_CUDA) == 2);
  setenv("FAKE_CUDA_ERROR", "100", 1);
  CHECK(cuda_devices(why, FAKE_CUDA) == 0);
  CHECK(why == "the CUDA driver finds no device (error 100)");
}
