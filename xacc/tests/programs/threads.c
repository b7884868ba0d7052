// ranks: 2
// flags: -fopenmp
// OpenMP pragmas stay, before and after those of XcalableMP.
#include <stdio.h>
#include <omp.h>
#define N 40
#pragma xmp nodes p[*]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][*] onto p
int a[N][N];
#pragma xmp align a[i][j] with t[i][j]
int main(void) {
  int i, j, s = 0, r = 0, u = 0;
#pragma omp parallel for private(j)
#pragma xmp loop (i) on t[i][*]
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) a[i][j] = i + j;
#pragma xmp loop (i, j) on t[i][j] reduction(+:s)
#pragma omp parallel for collapse(2) reduction(+:s)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) s += a[i][j];
#pragma xmp loop (i) on t[i][*] reduction(+:r)
  for (i = 0; i < N; i++) {
#pragma omp parallel for reduction(+:r)
    for (j = 0; j < N; j++) r += a[i][j];
  }
#pragma omp parallel
  {
#pragma omp atomic
    u++;
  }
  int bad = s != N * N * (N - 1) || r != s || u != omp_get_max_threads();
#pragma xmp task on p[0]
  { printf("%s %d %d %d\n", bad ? "ERROR" : "PASS", s, r, u); }
  return bad;
}
