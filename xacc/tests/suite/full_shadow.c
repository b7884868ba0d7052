// ranks: 3 4
// Full shadows: matrix times vector where every node has the whole vector, conjugate gradients on it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 30
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
double A[N][N], x[N], r[N], q[N], z[N];
#pragma xmp align A[i][*] with t(i)
#pragma xmp align [i] with t(i) :: x, r, q, z
#pragma xmp shadow q[*]
static double dot(double u[N], double v[N]) {
#pragma xmp align u[i] with t(i)
#pragma xmp align v[i] with t(i)
  double s = 0.0;
#pragma xmp loop (i) on t(i) reduction(+:s)
  for (int i = 0; i < N; i++) s += u[i] * v[i];
  return s;
}
int main(void) {
  int i, j, k;
#pragma xmp loop (i) on t(i)
  for (i = 0; i < N; i++) {
    for (j = 0; j < N; j++) A[i][j] = i == j ? 4.0 + i : abs(i - j) < 3 ? -0.5 : 0.0;
    x[i] = 0.0;
    q[i] = r[i] = 1.0 + i % 3;
  }
  double rr = dot(r, r);
  for (k = 0; k < N && rr > 1e-24; k++) {
#pragma xmp reflect (q)
#pragma xmp loop (i) on t(i)
    for (i = 0; i < N; i++) {
      z[i] = 0.0;
      for (j = 0; j < N; j++) z[i] += A[i][j] * q[j];
    }
    double qz = 0.0;
#pragma xmp loop (i) on t(i) reduction(+:qz)
    for (i = 0; i < N; i++) qz += q[i] * z[i];
    double alpha = rr / qz, before = rr;
#pragma xmp loop (i) on t(i)
    for (i = 0; i < N; i++) x[i] += alpha * q[i], r[i] -= alpha * z[i];
    rr = dot(r, r);
#pragma xmp loop (i) on t(i)
    for (i = 0; i < N; i++) q[i] = r[i] + rr / before * q[i];
  }
#pragma xmp loop (i) on t(i)
  for (i = 0; i < N; i++) q[i] = x[i];
#pragma xmp reflect (q)
  double worst = 0.0;
#pragma xmp loop (i) on t(i) reduction(max:worst)
  for (i = 0; i < N; i++) {
    double s = 0.0;
    for (j = 0; j < N; j++) s += A[i][j] * q[j];
    worst = fmax(worst, fabs(s - (1.0 + i % 3)));
  }
#pragma xmp task on p(1)
  { printf(worst > 1e-10 ? "ERROR %g\n" : "PASS %g\n", worst); }
  return worst > 1e-10;
}
