// cuBLAS, opened when the variant runs: programs start where it is not installed.
#pragma once

#include <cublas_v2.h>
#include <dlfcn.h>

#include <string>

#include "gpu/runtime.hpp"

namespace tenken::gpu {
inline namespace on_card {

class Blas {
 public:
  Blas() : library_(opened()) {
    expect(function<decltype(&cublasCreate_v2)>("cublasCreate_v2")(&handle_), "cublasCreate");
    product_ = function<decltype(&cublasDgemm_v2)>("cublasDgemm_v2");
    solve_ = function<decltype(&cublasDtrsm_v2)>("cublasDtrsm_v2");
  }
  ~Blas() { (void)function<decltype(&cublasDestroy_v2)>("cublasDestroy_v2")(handle_); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;

  std::string name() const {
    int version = 0;
    expect(function<decltype(&cublasGetVersion_v2)>("cublasGetVersion_v2")(handle_, &version), "cublasGetVersion");
    return "cuBLAS " + std::to_string(version);
  }

  void product(int m, int n, int k, double alpha, const double* a, int lda, const double* b, int ldb, double beta,
               double* c, int ldc) const {
    expect(product_(handle_, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc), "cublasDgemm");
  }
  void solve_unit_lower(int m, int n, const double* l, int ldl, double* b, int ldb) const {
    const double one = 1;
    expect(solve_(handle_, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, m, n, &one, l, ldl,
                  b, ldb),
           "cublasDtrsm");
  }

 private:
  // The library of the build, by its number, else as it was found then.
  static void* opened() {
    const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
#if defined(TENKEN_CUBLAS)
    if (library == nullptr) library = dlopen(TENKEN_CUBLAS, RTLD_NOW | RTLD_LOCAL);
#endif
    if (library == nullptr) lacking("no cuBLAS: " + name + " was looked for; add its folder to LD_LIBRARY_PATH");
    return library;
  }

  template <class Function>
  Function function(const char* name) const {
    const auto address = reinterpret_cast<Function>(dlsym(library_, name));
    if (address == nullptr) lacking(std::string("this cuBLAS has no ") + name);
    return address;
  }

  static void expect(cublasStatus_t status, const char* call) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    const auto trouble = status == CUBLAS_STATUS_ALLOC_FAILED    ? Trouble::no_memory
                         : status == CUBLAS_STATUS_ARCH_MISMATCH ? Trouble::no_code
                                                                 : Trouble::other;
    raise(trouble, facts(), call, "status " + std::to_string(static_cast<int>(status)));
  }

  void* library_;
  cublasHandle_t handle_ = nullptr;
  decltype(&cublasDgemm_v2) product_ = nullptr;
  decltype(&cublasDtrsm_v2) solve_ = nullptr;
};

}  // namespace on_card
}  // namespace tenken::gpu
