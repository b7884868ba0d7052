// ranks: 4 6
// Two cyclic dimensions of a constant-sized template, loop variables at file scope, loops the other way round.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[2][*]
static const int N = 64;
#pragma xmp template t[N][N]
#pragma xmp distribute t[cyclic][cyclic] onto p
int a[N][N], sa = 0;
double b[N][N], sb = 0.0;
float c[N][N], sc = 0.0;
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp align c[i][j] with t[i][j]
int i, j, result = 0;
int main(void) {
#pragma xmp loop (j, i) on t[j][i]
  for (j = 0; j < N; j++) {
    for (i = 0; i < N; i++) {
      a[j][i] = 1;
      b[j][i] = 2.0;
      c[j][i] = 3.0;
    }
  }
#pragma xmp loop (i, j) on t[j][i] reduction(+: sa, sb) reduction(+:sc)
  for (i = 0; i < N; i++) {
    for (j = 0; j < N; j++) {
      sa = sa + a[j][i];
      sb = sb + b[j][i];
      sc = sc + c[j][i];
    }
  }
  if (sa != N * N || sb != (double)2 * N * N || sc != (float)3 * N * N) result = -1;
  sa = 0;
#pragma xmp loop (j) on t[j][*]
  for (j = 1; j < N; j += 3) {
#pragma xmp loop (i) on t[*][i]
    for (i = N - 1; i >= 0; i -= 2) a[j][i] = i * 100 + j;
  }
#pragma xmp loop on t[j][i] reduction(+:sa)
  for (j = 0; j < N; j++)
    for (i = 0; i < N; i++)
      if (a[j][i] != (j % 3 == 1 && i % 2 == 1 ? i * 100 + j : 1)) sa++;
  if (sa != 0) result = -1;
#pragma xmp reduction(+:result)
#pragma xmp task on p[0][0]
  {
    if (result == 0) {
      printf("PASS\n");
    } else {
      fprintf(stderr, "ERROR\n");
      exit(1);
    }
  }
  return 0;
}
