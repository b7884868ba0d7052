// ranks: 16
// Four dimensions over 2 x 2 x 2 x 2 nodes, every format, reductions over rows of nodes.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 6
int m[2] = {2, 4};
#pragma xmp nodes p(2,2,2,2)
#pragma xmp template t(0:N-1,0:N-1,0:N-1,0:N-1)
#pragma xmp distribute t(block,cyclic,gblock(m),cyclic(2)) onto p
char a[N][N][N][N];
short b[N][N], c[N];
#pragma xmp align a[l][k][j][i] with t(i,j,k,l)
#pragma xmp align b[k][i] with t(i,*,k,*)
#pragma xmp align c[l] with t(*,*,*,l)
int main(void) {
  int i, j, k, l, s = 0, r = 0;
#pragma xmp loop (i,j,k,l) on t(i,j,k,l)
  for (l = 0; l < N; l++)
    for (k = 0; k < N; k++)
      for (j = 0; j < N; j++)
        for (i = 0; i < N; i++) a[l][k][j][i] = i + j + k + l;
#pragma xmp loop (i,k) on t(i,*,k,*)
  for (k = 0; k < N; k++)
    for (i = 0; i < N; i++) b[k][i] = i * k;
#pragma xmp loop (l) on t(*,*,*,l)
  for (l = 0; l < N; l++) c[l] = l;
#pragma xmp loop (l,k,j,i) on t(i,j,k,l) reduction(+:s)
  for (l = N - 1; l >= 0; l--)
    for (k = 0; k < N; k += 2)
      for (j = 1; j < N; j += 2)
        for (i = 0; i < N; i++) s += a[l][k][j][i] + b[k][i] + c[l];
#pragma xmp loop (k,i) on t(i,*,k,*) reduction(+:r)
  for (k = 0; k < N; k++)
    for (i = 0; i < N; i++) r += b[k][i];
  int want = 0;
  for (l = 0; l < N; l++)
    for (k = 0; k < N; k += 2)
      for (j = 1; j < N; j += 2)
        for (i = 0; i < N; i++) want += i + j + k + l + i * k + l;
  int bad = s != want || r != 15 * 15;
#pragma xmp reduction(max:bad)
#pragma xmp task on p(1,1,1,1)
  { printf(bad ? "ERROR %d %d %d\n" : "PASS\n", s, want, r); }
  return bad;
}
