// ranks: 1 2 3 4
// Every operation, on every kind of variable, in the directive and in the clause of a loop.
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:99)
#pragma xmp distribute t(block) onto p
double a[100];
#pragma xmp align a[i] with t(i)
static int of(int x[3], int n) {
  x[0] = x[1] = x[2] = xmp_node_num();
#pragma xmp reduction(+:x)
  return x[0] == n * (n + 1) / 2 && x[2] == x[0];
}
int main(void) {
  int n = xmp_num_nodes(), me = xmp_node_num(), bad = 0, x[3];
  long sum = me;
  float fmin = me;
  double prod = 2;
  unsigned char bits = 1 << (me - 1);
  unsigned all = ~0u ^ (1u << me), odd = me;
  int yes = 1, some = me == n, m[2][3] = {{me, 0, 1}, {1, me, 2}};
  double _Complex z = me + I;
  bool flag = me == 1;
#pragma xmp reduction(+:sum, m, z)
#pragma xmp reduction(min:fmin)
#pragma xmp reduction(*:prod)
#pragma xmp reduction(|:bits)
#pragma xmp reduction(&:all)
#pragma xmp reduction(^:odd)
#pragma xmp reduction(&&:yes)
#pragma xmp reduction(||:some, flag)
  int tri = n * (n + 1) / 2, x2 = 0;
  unsigned x3 = ~0u;
  double p2 = 1;
  for (int i = 1; i <= n; i++) x2 ^= i, x3 &= ~0u ^ (1u << i), p2 *= 2;
  if (sum != tri || m[0][0] != tri || m[1][1] != tri || m[1][2] != 2 * n || z != tri + n * I) bad = 1;
  if (fmin != 1 || prod != p2 || bits != (1 << n) - 1 || all != x3 || odd != (unsigned)x2 || !yes || !some || !flag) bad = 2;
  if (!of(x, n)) bad = 3;
#pragma xmp loop on t(i)
  for (int i = 0; i < 100; i++) a[i] = (i * 37) % 100;
  double s = 1, lo = 1e9, hi = -1e9, half = 3;
  long k = 3;
  int any = 0, every = 1, place = -1, last = -1;
  double top = -1, bottom = 1e9;
#pragma xmp loop on t(i) reduction(+:s) reduction(min:lo) reduction(MAX:hi) reduction(-:half) reduction(*:k)
  for (int i = 0; i < 100; i++) {
    s += a[i];
    half -= 1;
    if (a[i] < lo) lo = a[i];
    if (a[i] > hi) hi = a[i];
    if (i % 25 == 0) k *= 2;
  }
#pragma xmp loop on t(i) reduction(||:any) reduction(&&:every) reduction(firstmax:top/place/) reduction(lastmin:bottom/last/)
  for (int i = 0; i < 100; i++) {
    any = any || a[i] == 99;
    every = every && a[i] < 100;
    if ((int)a[i] / 2 > top) top = (int)a[i] / 2, place = i;
    if ((int)a[i] / 2 <= bottom) bottom = (int)a[i] / 2, last = i;
  }
  int wp = -1, wl = -1, wt = -1, wb = 1000;
  for (int i = 0; i < 100; i++) {
    int v = (i * 37) % 100 / 2;
    if (v > wt) wt = v, wp = i;
    if (v <= wb) wb = v, wl = i;
  }
  if (s != 1 + 4950 || lo != 0 || hi != 99 || half != 3 - 100 || k != 48) bad = 4;
  if (!any || !every || place != wp || last != wl || top != wt || bottom != wb) bad = 5;
  int best = me % 3, where = me, with[2][2] = {{0, 0}, {me, -me}};
#pragma xmp reduction(max:best/where, with[1][:]/)
  int wm = 0, wr = 1;
  for (int i = 1; i <= n; i++)
    if (i % 3 > wm) wm = i % 3, wr = i;
  if (best != wm || (n > 1 && (where != wr || with[1][0] != wr || with[1][1] != -wr || with[0][0]))) bad = 6;
  int later = me;
#pragma xmp reduction(+:later) async(1)
#pragma xmp wait_async(1)
  if (later != tri) bad = 7;
#pragma xmp reduction(max:bad)
#pragma xmp task on p(1)
  { printf("%s %d\n", bad ? "ERROR" : "PASS", bad); }
  return bad;
}
