// Qualified pointers as parameters, and dimensions on a * of the template given to parameters that collapse them.
// ranks: 1 2 4
#include <stdio.h>
#define N 10
#define M 5
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
#pragma xmp template u[N]
#pragma xmp distribute u[block] onto p
double a[N][M], b[N][M], c[N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][*] with t[i][*]
#pragma xmp align c[i] with u[i]

static double both(double (*restrict x)[M], double (*const y)[M], volatile double *z) {
#pragma xmp align x[i][*] with t[i][*]
#pragma xmp align y[i][j] with t[i][j]
#pragma xmp align z[i] with u[i]
  double sum = 0;
#pragma xmp loop (i) on t[i][*] reduction(+ : sum)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) sum += x[i][j] * y[i][j] + z[i];
  return sum;
}

int main(void) {
#pragma xmp loop (i, j) on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      a[i][j] = i + j;
      b[i][j] = i - j;
    }
#pragma xmp loop (i) on u[i]
  for (int i = 0; i < N; i++) c[i] = i;
  double got = both(a, b, c), wanted = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) wanted += (i + j) * (i - j) + i;
  if (got != wanted) printf("ERROR %g instead of %g\n", got, wanted);
  else printf("PASS\n");
  return got != wanted;
}
