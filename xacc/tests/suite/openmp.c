// ranks: 2 4
// flags: -fopenmp
// OpenMP on the same loops, before and after the loop directive, with reductions of both.
#include <stdio.h>
#include <stdlib.h>
#define N 200
#pragma xmp template t(0:N-1)
#pragma xmp nodes p(*)
#pragma xmp distribute t(block) onto p
int a[N], b[N];
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i] with t(i)
#pragma xmp shadow a[1:1]
int main() {
  int i, sum = 0, big = 0;
#pragma xmp loop on t(i)
#pragma omp parallel for
  for (i = 0; i < N; i++) a[i] = i;
#pragma xmp reflect (a)
#pragma omp parallel for
#pragma xmp loop (i) on t(i)
  for (i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i + 1];
#pragma xmp loop on t(i) reduction(+:sum) reduction(max:big)
#pragma omp parallel for reduction(+:sum) reduction(max:big)
  for (i = 1; i < N - 1; i++) {
    sum += b[i];
    if (b[i] > big) big = b[i];
  }
#pragma omp parallel
#pragma omp single
  sum += 0;
  int bad = sum != 2 * (N - 1) * (N - 2) / 2 || big != 2 * (N - 2);
#pragma xmp task on p(1)
  printf(bad ? "ERROR %d %d\n" : "PASS\n", sum, big);
  return bad;
}
