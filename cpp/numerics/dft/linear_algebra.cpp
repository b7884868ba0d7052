#include "numerics/dft/linear_algebra.hpp"

#include <cblas.h>
#include <dlfcn.h>

extern "C" void zheevd_(const char* job, const char* half, const int* n, std::complex<double>* a, const int* lda,
                        double* values, std::complex<double>* work, const int* lwork, double* rwork, const int* lrwork,
                        int* iwork, const int* liwork, int* info);
extern "C" void dsyevd_(const char* job, const char* half, const int* n, double* a, const int* lda, double* values,
                        double* work, const int* lwork, int* iwork, const int* liwork, int* info);
extern "C" void zpotrf_(const char* half, const int* n, std::complex<double>* a, const int* lda, int* info);

namespace tenken::dft {

namespace {

template <class Function>
Function* found(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

int narrow(std::int64_t n) { return static_cast<int>(n); }

}  // namespace

BlasOnOneThread::BlasOnOneThread() {
  const auto get = found<int()>("openblas_get_num_threads");
  const auto get_mkl = found<int()>("MKL_Get_Max_Threads");
  if (get != nullptr) {
    set_ = found<void(int)>("openblas_set_num_threads");
    before_ = get();
  } else if (get_mkl != nullptr) {
    set_ = found<void(int)>("MKL_Set_Num_Threads");
    before_ = get_mkl();
  }
  if (set_ != nullptr) set_(1);
}

BlasOnOneThread::~BlasOnOneThread() {
  if (set_ != nullptr) set_(before_);
}

void inner_products(std::int64_t rows, std::int64_t m, std::int64_t n, double alpha, const double* a, std::int64_t lda,
                    const double* b, std::int64_t ldb, double* c, std::int64_t ldc) {
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(m), narrow(n), narrow(rows), alpha, a, narrow(lda), b,
              narrow(ldb), 0.0, c, narrow(ldc));
}

void inner_products(std::int64_t rows, std::int64_t m, std::int64_t n, double alpha, const Complex* a, std::int64_t lda,
                    const Complex* b, std::int64_t ldb, Complex* c, std::int64_t ldc) {
  const Complex factor = alpha, zero = 0;
  cblas_zgemm(CblasColMajor, CblasConjTrans, CblasNoTrans, narrow(m), narrow(n), narrow(rows), &factor, a, narrow(lda),
              b, narrow(ldb), &zero, c, narrow(ldc));
}

void combine(std::int64_t rows, std::int64_t m, std::int64_t n, double alpha, const double* a, std::int64_t lda,
             const double* b, std::int64_t ldb, double beta, double* c, std::int64_t ldc) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, narrow(rows), narrow(n), narrow(m), alpha, a, narrow(lda), b,
              narrow(ldb), beta, c, narrow(ldc));
}

void combine(std::int64_t rows, std::int64_t m, std::int64_t n, double alpha, const Complex* a, std::int64_t lda,
             const Complex* b, std::int64_t ldb, double beta, Complex* c, std::int64_t ldc) {
  const Complex factor = alpha, keep = beta;
  cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, narrow(rows), narrow(n), narrow(m), &factor, a, narrow(lda), b,
              narrow(ldb), &keep, c, narrow(ldc));
}

bool diagonalise(std::int64_t n, Complex* matrix, std::vector<double>& values) {
  const int order = narrow(n);
  values.assign(static_cast<std::size_t>(n), 0);
  const int lwork = 2 * order + order * order, lrwork = 1 + 5 * order + 2 * order * order, liwork = 3 + 5 * order;
  std::vector<Complex> work(static_cast<std::size_t>(lwork));
  std::vector<double> rwork(static_cast<std::size_t>(lrwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  int info = 0;
  zheevd_("V", "L", &order, matrix, &order, values.data(), work.data(), &lwork, rwork.data(), &lrwork, iwork.data(),
          &liwork, &info);
  return info == 0;
}

bool diagonalise(std::int64_t n, double* matrix, std::vector<double>& values) {
  const int order = narrow(n);
  values.assign(static_cast<std::size_t>(n), 0);
  const int lwork = 1 + 6 * order + 2 * order * order, liwork = 3 + 5 * order;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  int info = 0;
  dsyevd_("V", "L", &order, matrix, &order, values.data(), work.data(), &lwork, iwork.data(), &liwork, &info);
  return info == 0;
}

bool cholesky(std::int64_t n, Complex* matrix) {
  const int order = narrow(n);
  int info = 0;
  zpotrf_("U", &order, matrix, &order, &info);
  return info == 0;
}

void divide(std::int64_t rows, std::int64_t n, const Complex* r, Complex* x, std::int64_t ldx) {
  const Complex one = 1;
  cblas_ztrsm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, narrow(rows), narrow(n), &one, r,
              narrow(n), x, narrow(ldx));
}

}  // namespace tenken::dft
