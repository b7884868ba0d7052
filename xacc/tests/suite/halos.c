// ranks: 8 12
// Halos in three dimensions: unequal widths, parts of the shadow, periodic, asynchronous, orthogonal, gblock.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define X 13
#define Y 11
#define Z 12
int map[2] = {5, 8};
#pragma xmp nodes p[*][2][2]
#pragma xmp template t[Z][Y][X]
#pragma xmp distribute t[block][block][gblock(map)] onto p
int a[Z][Y][X];
#pragma xmp align a[k][j][i] with t[k][j][i]
#pragma xmp shadow a[2:1][1:2][1]
int result = 0;
static int value(int k, int j, int i) {
  k = (k + Z) % Z;
  j = (j + Y) % Y;
  i = (i + X) % X;
  return (k * 100 + j) * 100 + i;
}
static void set(int f) {
#pragma xmp loop (k,j,i) on t[k][j][i]
  for (int k = 0; k < Z; k++)
    for (int j = 0; j < Y; j++)
      for (int i = 0; i < X; i++) a[k][j][i] = f * value(k, j, i);
}
int main(void) {
  int i, j, k;
  set(1);
#pragma xmp reflect (a)
#pragma xmp loop (k,j,i) on t[k][j][i] reduction(+:result)
  for (k = 2; k < Z - 1; k++)
    for (j = 1; j < Y - 2; j++)
      for (i = 1; i < X - 1; i++)
        result += a[k - 2][j + 2][i - 1] != value(k - 2, j + 2, i - 1) || a[k + 1][j - 1][i + 1] != value(k + 1, j - 1, i + 1);
  set(2);
#pragma xmp reflect (a) width(/periodic/1, /periodic/0:1, /periodic/1:0)
#pragma xmp loop (k,j,i) on t[k][j][i] reduction(+:result)
  for (k = 0; k < Z; k++)
    for (j = 0; j < Y; j++)
      for (i = 0; i < X; i++)
        result += a[k - 1][j + 1][i - 1] != 2 * value(k - 1, j + 1, i - 1) || a[k + 1][j][i] != 2 * value(k + 1, j, i);
  set(3);
#pragma xmp reflect (a) width(1, 1, 1) orthogonal async(5)
#pragma xmp wait_async(5)
#pragma xmp loop (k,j,i) on t[k][j][i] reduction(+:result)
  for (k = 1; k < Z - 1; k++)
    for (j = 1; j < Y - 1; j++)
      for (i = 1; i < X - 1; i++)
        result += a[k - 1][j][i] + a[k + 1][j][i] + a[k][j - 1][i] + a[k][j + 1][i] + a[k][j][i - 1] + a[k][j][i + 1] != 18 * value(k, j, i);
#pragma xmp reflect_init (a) width(1, 0, 0)
  for (int n = 4; n < 8; n++) {
    set(n);
#pragma xmp reflect_do (a)
#pragma xmp loop (k,j,i) on t[k][j][i] reduction(+:result)
    for (k = 1; k < Z - 1; k++)
      for (j = 0; j < Y; j++)
        for (i = 0; i < X; i++) result += a[k - 1][j][i] + a[k + 1][j][i] != 2 * n * value(k, j, i);
  }
#pragma xmp task on p[0][0][0]
  { printf("%s\n", result ? "ERROR" : "PASS"); }
  return result != 0;
}
