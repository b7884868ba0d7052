// One kernel in three languages, for tests of the build.
#pragma once

namespace toy {

double sum(int n, const double* x);
double sum_cuda(int n, const double* x);

}  // namespace toy

extern "C" double toy_sum_fortran(int n, const double* x);
