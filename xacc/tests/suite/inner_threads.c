// ranks: 2 4
// flags: -fopenmp
// OpenMP inside of distributed nests: on the inner loop, collapsed, in a parallel region around, simd; templates written both ways.
#include <stdio.h>
#include <stdlib.h>
#define N 12
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t(block) onto p
int a[N];
#pragma xmp align a[i] with t(i)
#pragma xmp nodes q(2,*)
#pragma xmp template s(0:N-1, 0:N-1)
#pragma xmp distribute s(block, block) onto q
double v[N][N];
#pragma xmp align v[i][j] with s[i][j]
int main(){
  int i, j, b = 0;
  double tmp = 0;
#pragma xmp loop on t[i]
  for(int i=0;i<N;i++)
    a[i] = i;
#pragma xmp loop on t[i] reduction(+:b)
#pragma omp parallel for  reduction(+:b)
  for(int i=0;i<N;i++)
    b += a[i];
#pragma xmp loop (j, i) on s(j, i)
#pragma omp parallel for collapse(2)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) v[i][j] = 1;
#pragma xmp loop (j, i) on s(j, i) reduction(+:tmp)
  for (i = 0; i < N; i++){

#pragma omp parallel for reduction(+:tmp)
    for (j = 0; j < N; j++)
      tmp += v[i][j];
  }
#pragma omp parallel
  {
#pragma xmp loop (i) on t[i]
#pragma omp for
    for (int i = 0; i < N; i++) a[i]++;
  }
#pragma xmp loop (i) on t[i] reduction(+:b)
#pragma omp simd reduction(+:b)
  for (int i = 0; i < N; i++) b += a[i];
  if(b == 66 + 78 && tmp == N * N) {
#pragma xmp task on p(1)
    printf("PASS\n");
  } else{
    printf("ERROR %d %g\n", b, tmp);
    exit(1);
  }
  return 0;
}
