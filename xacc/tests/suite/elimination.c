// ranks: 3 4
// Gauss elimination on cyclic rows: the row of a template element is given to all, loops that begin later in each step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 37
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(cyclic(2)) onto p
double a[N][N+1];
#pragma xmp align a[i][*] with t(i)
double row[N+1], x[N];
int main(void)
{
  int i, j, k;
#pragma xmp loop on t(i)
  for (i = 0; i < N; i++) {
    a[i][N] = 0.0;
    for (j = 0; j < N; j++) {
      a[i][j] = i == j ? N + i : (i * 7 + j * 3) % 5 - 2.0;
      a[i][N] += a[i][j] * (j + 1);
    }
  }
  for (k = 0; k < N; k++) {
#pragma xmp task on t(k) nocomm
    {
      for (j = k; j <= N; j++) row[j] = a[k][j];
    }
#pragma xmp bcast (row) from t(k)
#pragma xmp loop (i) on t(i)
    for (i = k + 1; i < N; i++) {
      double f = a[i][k] / row[k];
      for (j = k; j <= N; j++) a[i][j] -= f * row[j];
    }
  }
  for (k = N - 1; k >= 0; --k) {
    double xk = 0.0;
#pragma xmp task on t(k)
    xk = a[k][N] / a[k][k];
#pragma xmp bcast (xk) from t(k)
    x[k] = xk;
#pragma xmp loop (i) on t(i)
    for (i = k - 1; i >= 0; i--) a[i][N] -= a[i][k] * xk;
  }
  double worst = 0.0;
  for (j = 0; j < N; j++) worst = fmax(worst, fabs(x[j] - (j + 1)));
#pragma xmp reduction(max:worst)
#pragma xmp task on p(1)
  {
    if (worst < 1e-10) {
      printf("PASS\n");
    } else {
      fprintf(stderr, "ERROR %g\n", worst);
      exit(1);
    }
  }
  return 0;
}
