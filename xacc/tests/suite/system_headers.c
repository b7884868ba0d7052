// ranks: 2 4
// Many system headers; arrays of complex numbers; dimensions that only some arrays have.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <sys/time.h>
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <errno.h>
#include <unistd.h>
#include <complex.h>
#include <stdint.h>
#include <signal.h>
#include <ctype.h>
#include <xmp.h>
#define L 8
#pragma xmp nodes p[*]
#pragma xmp template t[L][L][L]
#pragma xmp distribute t[*][block][*] onto p
double _Complex f[L][L][L];
float g[L][L], h[L];
#pragma xmp align f[i][j][k] with t[i][j][k]
#pragma xmp align g[j][k] with t[*][j][k]
#pragma xmp align h[k] with t[*][*][k]
#pragma xmp shadow f[0][1][0]
#pragma xmp shadow g[1][0]
typedef enum { red, green } colour;
static inline double sq(double x) { return x * x; }
int main(int argc, char **argv) {
  int i, j, k; double s = 0; colour c = green;
  assert(argc >= 1);
#pragma xmp loop (i, j, k) on t[i][j][k]
  for (i = 0; i < L; i++)
    for (j = 0; j < L; j++)
      for (k = 0; k < L; k++) f[i][j][k] = i + j * I + k;
#pragma xmp loop (j) on t[*][j][*]
  for (j = 0; j < L; j++) for (k = 0; k < L; k++) g[j][k] = (float)j / (k + 1);
#pragma xmp loop (k) on t[*][*][k]
  for (k = 0; k < L; k++) h[k] = k;
#pragma xmp reflect (f) width(0, /periodic/1, 0)
#pragma xmp loop (j) on t[*][j][*] reduction(+:s)
  for (j = 0; j < L; j++) for (i = 0; i < L; i++) for (k = 0; k < L; k++)
    s += cimag(f[i][j - 1][k]) - cimag(f[i][(j + 1)][k]) + sq(h[k]);
  if (c == green && fabs(s - L * L * 140) < 1e-9) {
    if (xmp_node_num() == 1) puts("PASS");
  } else printf("ERROR %g\n", s);
  return 0;
}
