// ranks: 4 8
// expand, margin and peel_and_wait; loops that overlap a halo exchange.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 20
#pragma xmp nodes p(2,*)
#pragma xmp template t(0:N-1,0:N-1)
#pragma xmp distribute t(block,block) onto p
double a[N][N], b[N][N], c[N][N];
#pragma xmp align [j][i] with t(i,j) :: a, b, c
#pragma xmp shadow [2][2] :: a, b
int main(void) {
  int i, j, bad = 0;
#pragma xmp loop (i,j) on t(i,j)
  for (j = 0; j < N; j++)
    for (i = 0; i < N; i++) a[j][i] = j * 1000 + i, b[j][i] = c[j][i] = 0;
#pragma xmp reflect (a)
#pragma xmp loop (i,j) on t(i,j) expand(1,1)
  for (j = 1; j < N - 1; j++)
    for (i = 1; i < N - 1; i++) b[j][i] = a[j - 1][i] + a[j + 1][i] + a[j][i - 1] + a[j][i + 1];
#pragma xmp loop (i,j) on t(i,j) reduction(+:bad)
  for (j = 2; j < N - 2; j++)
    for (i = 2; i < N - 2; i++) {
      c[j][i] = b[j - 1][i] + b[j + 1][i] + b[j][i - 1] + b[j][i + 1];
      bad += c[j][i] != 16 * (j * 1000 + i);
    }
#pragma xmp reflect (a) async(7)
#pragma xmp loop (i,j) on t(i,j) peel_and_wait(7, -1, -1)
  for (j = 1; j < N - 1; j++)
    for (i = 1; i < N - 1; i++) c[j][i] = a[j - 1][i] + a[j + 1][i] + a[j][i - 1] + a[j][i + 1];
#pragma xmp loop (i,j) on t(i,j) reduction(+:bad)
  for (j = 1; j < N - 1; j++)
    for (i = 1; i < N - 1; i++) bad += c[j][i] != 4 * (j * 1000 + i);
#pragma xmp reflect (a) async(8)
#pragma xmp loop (i,j) on t(i,j) margin(1:1,1:1)
  for (j = 0; j < N; j++)
    for (i = 0; i < N; i++) b[j][i] = -1;
#pragma xmp wait_async (8)
#pragma xmp task on p(1,1)
  { printf(bad ? "ERROR %d\n" : "PASS\n", bad); }
  return bad != 0;
}
