#include "gpu/device_pointers.hpp"

#include <doctest/doctest.h>

#include <string_view>

using tenken::gpu::PointerAnswer;
using tenken::gpu::takes_device_pointers;

namespace {

// A made-up MPI library and environment.
int build_answer = 0, run_answer = 0, asked_type = -1;
int query_build() { return build_answer; }
int query_run(int type, int* answer) {
  asked_type = type;
  *answer = run_answer;
  return 0;
}

void* of_open_mpi(const char* name) {
  return std::string_view(name) == "MPIX_Query_cuda_support" ? reinterpret_cast<void*>(query_build) : nullptr;
}
void* of_mpich(const char* name) {
  return std::string_view(name) == "MPIX_GPU_query_support" ? reinterpret_cast<void*>(query_run) : of_open_mpi(name);
}
void* of_no_library(const char*) { return nullptr; }

const char* nothing_set(const char*) { return nullptr; }
const char* cray_set(const char* name) { return std::string_view(name) == "MPICH_GPU_SUPPORT_ENABLED" ? "1" : nullptr; }
const char* cray_off(const char* name) { return std::string_view(name) == "MPICH_GPU_SUPPORT_ENABLED" ? "0" : nullptr; }
const char* mvapich_set(const char* name) { return std::string_view(name) == "MV2_USE_CUDA" ? "1" : nullptr; }

}  // namespace

TEST_CASE("the function of Open MPI answers") {
  build_answer = 1;
  CHECK(takes_device_pointers(of_open_mpi, nothing_set, "Open MPI v4").taken);
  build_answer = 0;
  const PointerAnswer answer = takes_device_pointers(of_open_mpi, cray_set, "Open MPI v4");
  CHECK_FALSE(answer.taken);
  CHECK(answer.reason == "MPIX_Query_cuda_support answers no");
}

TEST_CASE("the function of MPICH answers for this run, before that for the build") {
  build_answer = 1;
  run_answer = 0;
  CHECK_FALSE(takes_device_pointers(of_mpich, nothing_set, "MPICH Version: 4").taken);
  CHECK(asked_type == 0);
  run_answer = 1;
  build_answer = 0;
  CHECK(takes_device_pointers(of_mpich, nothing_set, "MPICH Version: 4").taken);
}

TEST_CASE("of a library without such a function the environment is asked, and else it is not trusted") {
  CHECK(takes_device_pointers(of_no_library, cray_set, "MPI").taken);
  CHECK_FALSE(takes_device_pointers(of_no_library, cray_off, "MPI").taken);
  CHECK_FALSE(takes_device_pointers(of_no_library, nothing_set, "MPI").taken);
}

TEST_CASE("MVAPICH2 needs its variable besides") {
  build_answer = 1;
  CHECK(takes_device_pointers(of_open_mpi, mvapich_set, "MVAPICH2 Version: 2.3.7").taken);
  CHECK_FALSE(takes_device_pointers(of_open_mpi, nothing_set, "MVAPICH2 Version: 2.3.7").taken);
}
