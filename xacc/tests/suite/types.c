// ranks: 4
// Elements of every kind, declarations of several names, reductions of members and elements, lower bounds below 0.
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <xmp.h>
typedef double vec[3];
enum { N = 17 };
int spare = 3, a[N + 1][2 * N], *pa = NULL, z[3] = {1, 2, 3};
vec v[N];
volatile unsigned int u[N];
struct { int x, y; } anon[N];
_Bool flags[N];
long double ld[N];
const char *names[N];
struct pair { double x; int n[2]; } pr = {1.0, {1, 2}};
#pragma xmp nodes p(*)
#pragma xmp template t(-5:N-6)
#pragma xmp template tw(0:2*N-1)
#pragma xmp distribute t(block) onto p
#pragma xmp distribute tw(cyclic(4)) onto p
#pragma xmp align a[*][j] with tw(j)
#pragma xmp align v[i] with t(i-5)
#pragma xmp align u[i] with t(i-5)
#pragma xmp align anon[i] with t(i-5)
#pragma xmp align flags[i] with t(i-5)
#pragma xmp align ld[i] with t(i-5)
#pragma xmp align names[i] with t(i-5)
int main() {
  register int i;
  int j, bad = 0, w[4] = {0, 1, 2, xmp_node_num()};
  long long s = 0;
#pragma xmp loop on t(i-5)
  for (i = 0; i < N; i++) {
    v[i][0] = i, v[i][1] = 2 * i, v[i][2] = 0;
    u[i] = i, anon[i].x = i, anon[i].y = -i, flags[i] = i & 1, ld[i] = i, names[i] = "x";
  }
#pragma xmp loop (j) on tw(j)
  for (j = 0; j < 2 * N; j++)
    for (i = 0; i < N + 1; i++) a[i][j] = i * j;
#pragma xmp loop (i) on t(i-5) reduction(+:s)
  for (i = 0; i < N; i++) s += v[i][1] + u[i] + anon[i].x + anon[i].y + flags[i] + (long long)ld[i] + names[i][0];
  if (s != 4 * 136 + 8 + N * 'x') bad = 1;
#pragma xmp reduction(+:w[3])
  if (w[3] != 10) bad = 2;
  pr.x = xmp_node_num();
  pr.n[1] = xmp_node_num();
#pragma xmp reduction(+:pr.x)
#pragma xmp bcast(pr.n[1]) from p(3)
  if (pr.x != 10 || pr.n[1] != 3) bad = 3;
  for (j = 0; j < 3; j++) spare += z[j];
  if (pa || spare != 9) bad = 4;
  int lo = 0, hi = 0;
#pragma xmp loop (i) on t(i) reduction(min:lo) reduction(max:hi)
  for (i = -5; i <= N - 6; i++) { if (i < lo) lo = i; if (i > hi) hi = i; }
  if (lo != -5 || hi != N - 6) bad = 5;
#pragma xmp reduction(max:bad)
  if (xmp_node_num() == 1) printf(bad ? "ERROR %d\n" : "PASS\n", bad);
}
