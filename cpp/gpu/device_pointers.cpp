#include "gpu/device_pointers.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "base/error.hpp"

namespace tenken::gpu {

namespace {

constexpr int cuda = 0;  // MPIX_GPU_SUPPORT_CUDA of MPICH

void* loaded_symbol(const char* name) { return dlsym(RTLD_DEFAULT, name); }
const char* variable_of(const char* name) { return std::getenv(name); }

// The first words of the library about itself: "Open MPI v4.1.4".
std::string name_of_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text);
  return all.substr(0, all.find_first_of(",\n"));
}

std::string yes_or_no(bool yes) { return yes ? " answers yes" : " answers no"; }

}  // namespace

PointerAnswer takes_device_pointers(void* (*symbol)(const char* name), const char* (*variable)(const char* name),
                                    const std::string& library) {
  const auto set = [&](const char* name) {
    const char* text = variable(name);
    return text != nullptr && std::atoi(text) > 0;
  };
  // The function of MVAPICH2 answers for the build alone.
  if (library.find("MVAPICH2") != std::string::npos && !set("MV2_USE_CUDA"))
    return {false, "MV2_USE_CUDA=1 is not set"};
  if (void* const found = symbol("MPIX_GPU_query_support")) {
    int supported = 0;
    const bool good = reinterpret_cast<int (*)(int, int*)>(found)(cuda, &supported) == MPI_SUCCESS && supported != 0;
    return {good, "MPIX_GPU_query_support" + yes_or_no(good)};
  }
  if (void* const found = symbol("MPIX_Query_cuda_support")) {
    const bool good = reinterpret_cast<int (*)()>(found)() == 1;
    return {good, "MPIX_Query_cuda_support" + yes_or_no(good)};
  }
  for (const char* name : {"MPICH_GPU_SUPPORT_ENABLED", "MV2_USE_CUDA", "MVP_USE_CUDA", "I_MPI_OFFLOAD"}) {
    if (set(name)) return {true, std::string(name) + " is set"};
  }
  return {false, "the library has no function that answers, and no variable is set"};
}

void require_device_pointers(const Check& check, const std::string& instead, bool planted) {
  const std::string library = name_of_library();
  PointerAnswer answer = takes_device_pointers(loaded_symbol, variable_of, library);
  if (planted) answer = {false, "a fault is planted"};
  const bool all = check.max_over_ranks(answer.taken ? 0 : 1) == 0;
  if (all) return;
  if (answer.taken) answer.reason = "on another rank";
  lacking("this MPI does not take pointers to memory of a card (" + answer.reason + "): " + library +
          "; use an MPI that is built with CUDA, or " + instead);
}

}  // namespace tenken::gpu
