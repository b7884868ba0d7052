// Stands for a CUDA driver: the environment says what it answers.
#include <cstdlib>

namespace {
int number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}
}  // namespace

extern "C" int cuInit(unsigned) { return number("FAKE_CUDA_ERROR"); }
extern "C" int cuDeviceGetCount(int* count) {
  *count = number("FAKE_CUDA_DEVICES");
  return 0;
}
