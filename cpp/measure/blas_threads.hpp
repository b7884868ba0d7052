// The threads of whatever BLAS is linked. CBLAS has no words for them, so each library's own are looked up at run time.
//
//   const BlasThreads blas(bound_processors(check.threads()), work);
//   blas.use(check.threads());
#pragma once

#include <string>
#include <vector>

namespace tenken {

class BlasThreads {
 public:
  // `processors`: of each OpenMP thread, where each is bound to one; empty where they are
  // not. The library's own threads are put on them too: a library that starts threads
  // late gives them the mask of the calling thread, and then they all share one core.
  // `work`: any call of the library that takes some 0.01 s and uses all of its threads.
  BlasThreads(std::vector<int> processors, void (*work)());

  // Lets the next multiplications use `threads` threads.
  void use(int threads) const;

  // Name, version, build, the kernels picked for this processor as far as the library tells, and the file it came from.
  const std::string& description() const { return description_; }

 private:
  void bind_workers(void (*work)()) const;
  void bind_openmp(int threads) const;

  std::vector<int> processors_;
  std::string description_ = "reference BLAS or unknown BLAS: no kernels picked for this processor";
  void (*set_threads_)(int) = nullptr;
  bool own_threads_ = false;  // not those of OpenMP
};

// Processor that each of the OpenMP threads is bound to; empty unless each is bound to exactly one.
std::vector<int> bound_processors(int threads);

}  // namespace tenken
