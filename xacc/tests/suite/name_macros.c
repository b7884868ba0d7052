// ranks: 2 4
// Macros for names of nodes, templates and distributions; pointers as parameters; comments and #ifdef before the loop.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 20
#define MY_NODES p
#define T t
#define FMT DIST
#define DIST cyclic(2)
#pragma xmp nodes MY_NODES[*]
#pragma xmp template T[N]
#pragma xmp distribute T[FMT] onto MY_NODES
double a[N], b[N];
#pragma xmp align a[i] with T[i]
#pragma xmp align b[i] with t[i]
static void scale(double *x, double f, const double *y) {
#pragma xmp align x[i] with t[i]
#pragma xmp align y[i] with t[i]
#pragma xmp loop (i) on T[i]
  /* a comment, and what is not compiled */
#ifdef NOT_DEFINED
  nonsense;
#endif
  for (int i = 0; i < N; i++) x[i] = f * y[i];
}
int main(void) {
  double s = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) b[i] = i;
  scale(a, 3, b);
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < N; i++) s += a[i];
#pragma xmp task on MY_NODES[0]
  printf(s == 570 ? "PASS\n" : "ERROR %g\n", s);
  return 0;
}
