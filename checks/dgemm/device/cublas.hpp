// cuBLAS, opened when the variant runs: programs start where it is not installed.
#pragma once

#include <cublas_v2.h>
#include <dlfcn.h>

#include <string>

#include "gpu/runtime.hpp"

namespace dgemm::device::on_card {

class Blas {
 public:
  Blas() : library_(opened()) {
    expect(function<decltype(&cublasCreate_v2)>("cublasCreate_v2")(&handle_), "cublasCreate");
    product_ = function<decltype(&cublasDgemm_v2)>("cublasDgemm_v2");
  }
  ~Blas() { (void)function<decltype(&cublasDestroy_v2)>("cublasDestroy_v2")(handle_); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;

  std::string name() const {
    int version = 0;
    expect(function<decltype(&cublasGetVersion_v2)>("cublasGetVersion_v2")(handle_, &version), "cublasGetVersion");
    return "cuBLAS " + std::to_string(version);
  }

  // C = alpha A B + beta C by columns, queued.
  void multiply(int n, double alpha, const double* a, const double* b, double beta, double* c) const {
    expect(product_(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, a, n, b, n, &beta, c, n), "cublasDgemm");
  }

 private:
  // The library of the build, by its number, else as it was found then.
  static void* opened() {
    const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
#if defined(TENKEN_CUBLAS)
    if (library == nullptr) library = dlopen(TENKEN_CUBLAS, RTLD_NOW | RTLD_LOCAL);
#endif
    if (library == nullptr)
      tenken::lacking("no cuBLAS: " + name + " was looked for; add its folder to LD_LIBRARY_PATH");
    return library;
  }

  template <class Function>
  Function function(const char* name) const {
    const auto address = reinterpret_cast<Function>(dlsym(library_, name));
    if (address == nullptr) tenken::lacking(std::string("this cuBLAS has no ") + name);
    return address;
  }

  static void expect(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const auto trouble = status == CUBLAS_STATUS_ALLOC_FAILED    ? tenken::gpu::Trouble::no_memory
                         : status == CUBLAS_STATUS_ARCH_MISMATCH ? tenken::gpu::Trouble::no_code
                                                                 : tenken::gpu::Trouble::other;
    tenken::gpu::raise(trouble, tenken::gpu::facts(), call, "status " + std::to_string(static_cast<int>(status)));
  }

  void* library_;
  cublasHandle_t handle_ = nullptr;
  decltype(&cublasDgemm_v2) product_ = nullptr;
};

}  // namespace dgemm::device::on_card
