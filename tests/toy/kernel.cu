#include "kernel.hpp"
namespace toy {
__global__ void add(int n, const double* x, double* s) {
  double mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += x[i];
  atomicAdd(s, mine);
}
double sum_cuda(int n, const double* x) {
  double *dx = nullptr, *ds = nullptr, s = 0;
  cudaMalloc(&dx, n * sizeof(double));
  cudaMalloc(&ds, sizeof(double));
  cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(ds, 0, sizeof(double));
  add<<<1, 256>>>(n, dx, ds);
  cudaMemcpy(&s, ds, sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(ds);
  return s;
}
}  // namespace toy
