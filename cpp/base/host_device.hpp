// Functions that kernels of a device call, and the host, too. Headers that use this are C++17: older CUDA compilers
// have no C++20.
#pragma once

#if defined(__CUDACC__)
#define TENKEN_HOST_DEVICE __host__ __device__
#else
#define TENKEN_HOST_DEVICE
#endif
