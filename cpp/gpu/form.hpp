// One source, two forms. A compiler for GPUs makes the form that runs on a card. Any C++ compiler makes the form that
// runs the same kernels in loops on the host. Both forms may be in one program, so each has a namespace.
//
// These headers are C++17, because device compilers of CUDA 11 support no later standard.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define TENKEN_GPU_FORM on_card
#define TENKEN_GPU_ON_CARD 1
#define TENKEN_DEVICE __host__ __device__
#else
#define TENKEN_GPU_FORM on_host
#define TENKEN_GPU_ON_CARD 0
#define TENKEN_DEVICE
#endif

// Code that only the device pass compiles: intrinsics without a host form.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define TENKEN_GPU_DEVICE_PASS 1
#else
#define TENKEN_GPU_DEVICE_PASS 0
#endif
