// The part of CUDA that examples/lqcd/lqcd_cuda.cu uses, on the host: for tests of its answers where there is no device.
// Kernels run thread after thread, so they must not wait for each other.
#pragma once

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#define __global__ static
#define __device__
struct Dim3 {
  int x;
};
static Dim3 blockIdx, blockDim{1}, threadIdx;

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
inline const char* cudaGetErrorString(cudaError_t) { return "out of memory"; }
inline cudaError_t cudaMalloc(void** p, size_t bytes) { return (*p = std::malloc(bytes)) ? cudaSuccess : cudaErrorMemoryAllocation; }
inline cudaError_t cudaMemset(void* p, int value, size_t bytes) { return std::memset(p, value, bytes), cudaSuccess; }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) { return std::memcpy(to, from, bytes), cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetDeviceCount(int* n) { return *n = 1, cudaSuccess; }
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }

#define LAUNCH(kernel, n, ...)                                                   \
  do {                                                                           \
    blockDim.x = THREADS;                                                        \
    for (blockIdx.x = 0; blockIdx.x * THREADS < (n); blockIdx.x++)               \
      for (threadIdx.x = 0; threadIdx.x < THREADS; threadIdx.x++) kernel(__VA_ARGS__); \
  } while (0)
