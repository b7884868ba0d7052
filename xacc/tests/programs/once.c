// ranks: 2 4
// Descriptors and plans are made once: no communicator after the first iteration.
#include <stdio.h>
#include <xmp.h>
long xacc_communicators(void);
#define N 20
#pragma xmp nodes p[2][*]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto p
double a[N][N];
#pragma xmp align [i][j] with t[i][j] shadow [1][1] :: a
static double step(double x[N][N]) {
#pragma xmp align [i][j] with t[i][j] shadow [1][1] :: x
  double local[N][N], s = 0, r = 1;
#pragma xmp align [i][j] with t[i][j] shadow [1][0] :: local
#pragma xmp reflect(x)
#pragma xmp reflect(x) width(1,0) orthogonal
#pragma xmp loop on t[i][j] reduction(+:s)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) local[i][j] = 1, s += local[i][j] * x[i][j];
#pragma xmp reflect(local)
#pragma xmp loop on t[i][*] reduction(+:s)
  for (int i = 0; i < N; i++) s += 0;
#pragma xmp task on p[0][:]
  {
#pragma xmp reduction(+:r)
#pragma xmp bcast(r)
  }
#pragma xmp barrier
  return s;
}
int main(void) {
  long first = 0;
  int bad = 0;
#pragma xmp loop on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = 1;
  for (int k = 0; k < 30; k++) {
    if (step(a) != N * N) bad = 1;
    if (k == 0) first = xacc_communicators();
  }
  if (xacc_communicators() != first || first > 8) bad = 2;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0][0]
  { printf("%s %d %ld\n", bad ? "ERROR" : "PASS", bad, first); }
  return bad;
}
