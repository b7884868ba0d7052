// ranks: 3 7
// Loops: steps, downwards, !=, empty, bounds from variables and functions, break-free bodies, loop on nodes, inner loops.
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
#define N 101
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic(3)] onto p
int a[N], b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with c[i]
int plain[N], errors = 0;
static int bound(int k) { return N - k; }
static void compare(const char *what) {
#pragma xmp loop on t[i] reduction(+:errors)
  for (int i = 0; i < N; i++) errors += a[i] != plain[i];
#pragma xmp loop on c[i] reduction(+:errors)
  for (int i = 0; i < N; i++) errors += b[i] != plain[i];
  if (errors) printf("%s\n", what);
}
#define EACH(header, what)                                 \
  for (header) plain[i] = plain[i] * 3 + i;
int main(void) {
  int i, lo = 7, hi = 90, st = 4;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = 0;
#pragma xmp loop on c[i]
  for (i = 0; i < N; i++) b[i] = 0;
#pragma xmp loop (i) on t[i]
  for (i = lo; hi - 1 >= i; i += st) a[i] = a[i] * 3 + i;
#pragma xmp loop (i) on c[i]
  for (i = lo; i < hi; i += st) b[i] = b[i] * 3 + i;
  EACH(i = lo; i < hi; i += st, 1)
  compare("step");
#pragma xmp loop (i) on t[i]
  for (i = N - 1; i >= 0; i--) a[i] = a[i] * 3 + i;
#pragma xmp loop (i) on c[i]
  for (i = N - 1; i >= 0; i--) b[i] = b[i] * 3 + i;
  EACH(i = N - 1; i >= 0; i--, 2)
  compare("down");
#pragma xmp loop (i) on t[i]
  for (i = hi; i > lo; i = i - 5) a[i] = a[i] * 3 + i;
#pragma xmp loop (i) on c[i]
  for (i = hi; lo < i; i = i - 5) b[i] = b[i] * 3 + i;
  EACH(i = hi; i > lo; i = i - 5, 3)
  compare("down by 5");
#pragma xmp loop (i) on t[i]
  for (i = 10; 40 != i; i += 3) a[i] = a[i] * 3 + i;
#pragma xmp loop (i) on c[i]
  for (i = 10; i != 40; i += 3) b[i] = b[i] * 3 + i;
  EACH(i = 10; i != 40; i += 3, 4)
  compare("until");
#pragma xmp loop (i) on t[i]
  for (i = 50; i < 50; i++) a[i] = -1;
#pragma xmp loop (i) on c[i]
  for (i = 50; i < 20; i++) b[i] = -1;
#pragma xmp loop (i) on t[i]
  for (i = bound(50); i < bound(lo); ++i) {
    if (i % 2) continue;
    a[i] = a[i] * 3 + i;
  }
#pragma xmp loop (i) on c[i]
  for (i = bound(50); i < bound(lo); ++i) {
    if (i % 2) continue;
    b[i] = b[i] * 3 + i;
  }
  for (i = bound(50); i < bound(lo); ++i)
    if (i % 2 == 0) plain[i] = plain[i] * 3 + i;
  compare("function");
  long l, s = 0;
#pragma xmp loop (l) on t[l] reduction(+:s)
  for (l = 0; l <= N - 1; l++) s += l;
  unsigned u;
#pragma xmp loop (u) on t[u] reduction(+:s)
  for (u = 3; u < N; u++) s += u;
  if (s != 2L * N * (N - 1) / 2 - 3) errors++;
  int me = 0;
#pragma xmp loop (k) on p[k]
  for (int k = 0; k < xmp_num_nodes(); k++) me = k + 1;
  if (me != xmp_node_num()) errors++;
#pragma xmp reduction(+:errors)
#pragma xmp task on p[0]
  { puts(errors ? "ERROR" : "PASS"); }
  return errors != 0;
}
