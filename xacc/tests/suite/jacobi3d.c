// ranks: 2 8
// Himeno's stencil in small: several arrays in one directive, swap by copy, reduction of a sum of squares, extents by macros.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define MIMAX 18
#define MJMAX 14
#define MKMAX 10
#pragma xmp nodes n(*,2)
#pragma xmp template t(0:MKMAX-1,0:MJMAX-1,0:MIMAX-1)
#pragma xmp distribute t(*,block,block) onto n
static float p[MIMAX][MJMAX][MKMAX];
static float a[4][MIMAX][MJMAX][MKMAX], wrk[MIMAX][MJMAX][MKMAX];
#pragma xmp align [i][j][*] with t(*,j,i) shadow [1:1][1:1][0] :: p
#pragma xmp align a[*][i][j][*] with t(*,j,i)
#pragma xmp align wrk[i][j][k] with t(k,j,i)
static float sp[MIMAX][MJMAX][MKMAX], sw[MIMAX][MJMAX][MKMAX];
static int imax = MIMAX - 1, jmax = MJMAX - 1, kmax = MKMAX - 1;
void initmt() {
  int i, j, k;
#pragma xmp loop (k,j,i) on t(k,j,i)
  for (i = 0; i < MIMAX; i++)
    for (j = 0; j < MJMAX; j++)
      for (k = 0; k < MKMAX; k++) {
        a[0][i][j][k] = a[1][i][j][k] = a[2][i][j][k] = 1.0;
        a[3][i][j][k] = 1.0 / 6.0;
        p[i][j][k] = (float)(i * i) / (float)(MIMAX * MIMAX) + j;
        wrk[i][j][k] = 0.0;
      }
  for (i = 0; i < MIMAX; i++)
    for (j = 0; j < MJMAX; j++)
      for (k = 0; k < MKMAX; k++) sp[i][j][k] = (float)(i * i) / (float)(MIMAX * MIMAX) + j;
}
float jacobi(int nn) {
  int i, j, k, n;
  float gosa = 0, ss, s0;
  for (n = 0; n < nn; ++n) {
    gosa = 0.0;
#pragma xmp reflect (p)
#pragma xmp loop (k,j,i) on t(k,j,i) reduction(+:gosa)
    for (i = 1; i < imax; ++i)
      for (j = 1; j < jmax; ++j)
        for (k = 1; k < kmax; ++k) {
          s0 = a[0][i][j][k] * (p[i + 1][j + 1][k] + p[i - 1][j - 1][k]) + a[1][i][j][k] * (p[i][j + 1][k] + p[i][j - 1][k]) +
               a[2][i][j][k] * (p[i][j][k + 1] + p[i][j][k - 1]);
          ss = s0 * a[3][i][j][k] - p[i][j][k];
          gosa = gosa + ss * ss;
          wrk[i][j][k] = p[i][j][k] + 0.8 * ss;
        }
#pragma xmp loop (k,j,i) on t(k,j,i)
    for (i = 1; i < imax; ++i)
      for (j = 1; j < jmax; ++j)
        for (k = 1; k < kmax; ++k) p[i][j][k] = wrk[i][j][k];
  }
  return gosa;
}
float plain(int nn) {
  float gosa = 0;
  for (int n = 0; n < nn; ++n) {
    gosa = 0.0;
    for (int i = 1; i < imax; ++i)
      for (int j = 1; j < jmax; ++j)
        for (int k = 1; k < kmax; ++k) {
          float s0 = sp[i + 1][j + 1][k] + sp[i - 1][j - 1][k] + sp[i][j + 1][k] + sp[i][j - 1][k] + sp[i][j][k + 1] + sp[i][j][k - 1];
          float ss = s0 * (float)(1.0 / 6.0) - sp[i][j][k];
          gosa = gosa + ss * ss;
          sw[i][j][k] = sp[i][j][k] + 0.8 * ss;
        }
    for (int i = 1; i < imax; ++i)
      for (int j = 1; j < jmax; ++j)
        for (int k = 1; k < kmax; ++k) sp[i][j][k] = sw[i][j][k];
  }
  return gosa;
}
int main(int argc, char *argv[]) {
  initmt();
  float got = jacobi(4), want = plain(4);
  int bad = fabs(got - want) > 1e-4 * want;
#pragma xmp reduction(max:bad)
#pragma xmp task on n(1,1)
  { printf(bad ? "ERROR %g %g\n" : "PASS\n", got, want); }
  return bad;
}
