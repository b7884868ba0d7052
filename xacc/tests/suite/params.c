// ranks: 2 4
// Distributed parameters: extents as parameters, prototypes, const, calls in both directions, a template that hides another.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:63)
#pragma xmp distribute t(block) onto p
void set(int n, int a[n][4], int f);
long sum(const int a[64][4]);
static void swap(int x[64][4], int y[64][4]) {
#pragma xmp align x[i][*] with t(i)
#pragma xmp align y[i][*] with t(i)
  int i, j;
#pragma xmp loop (i) on t(i)
  for (i = 0; i < 64; i++)
    for (j = 0; j < 4; j++) {
      int k = x[i][j];
      x[i][j] = y[i][j];
      y[i][j] = k;
    }
}
int a[64][4];
#pragma xmp align a[i][*] with t(i)
int main(void) {
  static int b[64][4];
#pragma xmp align b[i][*] with t(i)
  int c[64][4], bad = 0;
#pragma xmp align c[i][*] with t(i)
  set(64, a, 1);
  set(64, b, 2);
  set(64, c, 3);
  swap(a, b);
  swap(b, c);
  long s = 0;
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 4; j++) s += i * 4 + j;
  if (sum(a) != 2 * s || sum(b) != 3 * s || sum(c) != s) bad = 1;
#pragma xmp reduction(+:bad)
#pragma xmp task on p(1)
  { printf(bad ? "ERROR\n" : "PASS\n"); }
  return bad;
}
void set(int n, int a[n][4], int f) {
#pragma xmp align a[i][*] with t(i)
#pragma xmp loop (i) on t(i)
  for (int i = n - 1; i > -1; i--)
    for (int j = 0; j < 4; j++) a[i][j] = f * (i * 4 + j);
}
long sum(const int a[64][4]) {
#pragma xmp align a[i][*] with t(i)
  long s = 0;
#pragma xmp loop (i) on t(i) reduction(+:s)
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 4; j++) s += a[i][j];
  return s;
}
