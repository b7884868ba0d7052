// ranks: 4 8
// Matrix times vector as the specification has it: a reduction in the inner loop of two, by directives in it, and of a distributed vector.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 12
#pragma xmp nodes p(2,*)
#pragma xmp template t(1:N,1:N)
#pragma xmp distribute t(block,block) onto p
double a[N][N], x[N], w[N], v[N], u[N], e[N];
#pragma xmp align a[j][i] with t(i+1,j+1)
#pragma xmp align x[i] with t(i+1,*)
#pragma xmp align w[j] with t(*,j+1)
#pragma xmp align v[j] with t(*,j+1)
#pragma xmp align u[j] with t(*,j+1)
#pragma xmp align e[j] with t(*,j+1)
int main(void)
{
  int i, j, bad = 0;
  double sum;
#pragma xmp loop (i,j) on t(i+1,j+1)
  for (j = 0; j < N; j++)
    for (i = 0; i < N; i++) a[j][i] = j * N + i;
#pragma xmp loop (i) on t(i+1,*)
  for (i = 0; i < N; i++) x[i] = i + 1;
#pragma xmp loop (j) on t(:,j+1)
  for (j = 0; j < N; j++) {
    sum = 0;
#pragma xmp loop (i) on t(i+1,j+1) reduction(+:sum)
    for (i = 0; i < N; i++) sum = sum + a[j][i] * x[i];
    w[j] = sum;
  }
#pragma xmp loop (j) on t(:,j+1)
  for (j = 0; j < N; j++) {
    sum = 0;
#pragma xmp loop (i) on t(i+1,j+1)
    for (i = 0; i < N; i++) sum = sum + a[j][i] * x[i];
#pragma xmp reduction(+:sum) on t(1:N,j+1)
    v[j] = sum;
  }
#pragma xmp loop (j) on t(:,j+1)
  for (j = 0; j < N; j++) {
    sum = 0;
#pragma xmp loop (i) on t(i+1,j+1)
    for (i = 0; i < N; i++) sum = sum + a[j][i] * x[i];
    u[j] = sum;
  }
#pragma xmp reduction(+:u) on t(1:N,*)
#pragma xmp loop (j) on t(:,j+1)
  for (j = 0; j < N; j++) {
    sum = 0;
#pragma xmp loop (i) on t(i+1,j+1)
    for (i = 0; i < N; i++) sum = sum + a[j][i] * x[i];
#pragma xmp reduction(+:sum)
    e[j] = sum;
  }
#pragma xmp loop (j) on t(*,j+1) reduction(+:bad)
  for (j = 0; j < N; j++) {
    double want = 0;
    for (int k = 0; k < N; k++) want += (j * N + k) * (k + 1.0);
    if (w[j] != want || v[j] != want || u[j] != want || e[j] != want) bad++;
  }
#pragma xmp reduction(+:bad)
#pragma xmp task on p(1,1)
  {
    if (bad == 0) {
      printf("PASS\n");
    } else {
      fprintf(stderr, "ERROR\n");
      exit(1);
    }
  }
  return 0;
}
