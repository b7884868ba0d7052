// ranks: 1 2 4 8
// A five-point stencil: combined align, one-sided widths, nested loops, reduction of max and +.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define NY 19
#define NX 23
double a[NY][NX], b[NY][NX];
#pragma xmp nodes p[*][1]
#pragma xmp nodes q[*]
#pragma xmp template t[NY][NX]
#pragma xmp distribute t[block][block] onto p
#pragma xmp align [i][j] with t[i][j] shadow [1:1][1:1] :: a, b

static double f(int i, int j) { return i * 3 + j * j % 7; }

static double sweep(double x[NY][NX], double y[NY][NX]) {
#pragma xmp align [i][j] with t[i][j] shadow [1:1][1:1] :: x, y
  double change = 0;
#pragma xmp reflect (x)
#pragma xmp loop (i, j) on t[i][j] reduction(max:change)
  for (int i = 1; i < NY - 1; i++)
    for (int j = 1; j < NX - 1; j++) {
      y[i][j] = 0.25 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]);
      double c = fabs(y[i][j] - x[i][j]);
      if (c > change) change = c;
    }
  return change;
}

int main() {
  double s[NY][NX], r[NY][NX], change = 0, want = 0, sum = 0, wants = 0;
#pragma xmp loop (i, j) on t[i][j]
  for (int i = 0; i < NY; i++)
    for (int j = 0; j < NX; j++) a[i][j] = b[i][j] = f(i, j);
  for (int i = 0; i < NY; i++)
    for (int j = 0; j < NX; j++) s[i][j] = r[i][j] = f(i, j);
  for (int k = 0; k < 4; k++) {
    change = sweep(a, b);
    change = sweep(b, a);
  }
  for (int k = 0; k < 8; k++) {
    want = 0;
    double(*x)[NX] = k % 2 ? r : s, (*y)[NX] = k % 2 ? s : r;
    for (int i = 1; i < NY - 1; i++)
      for (int j = 1; j < NX - 1; j++) {
        y[i][j] = 0.25 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]);
        want = fmax(want, fabs(y[i][j] - x[i][j]));
      }
  }
#pragma xmp loop (i, j) on t[i][j] reduction(+:sum)
  for (int i = 0; i < NY; i++)
    for (int j = 0; j < NX; j++) sum += a[i][j] != s[i][j];
  wants = 0;
  int bad = sum != wants || change != want;
#pragma xmp task on p[0][0]
  { printf("%s %g %g %g\n", bad ? "ERROR" : "PASS", change, want, sum); }
  return bad;
}
