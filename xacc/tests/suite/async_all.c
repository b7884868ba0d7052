// ranks: 2 6
// Asynchronous reflect, reduction and bcast with numbers from expressions, waited for in another order, several at once.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 60
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
int a[N], b[N];
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i] with t(i)
#pragma xmp shadow a[1]
#pragma xmp shadow b[1]
int main(void) {
  int i, id = 4, me = xmp_node_num(), n = xmp_num_nodes(), s = me, v[3] = {me, me, me}, w = me, bad = 0;
#pragma xmp loop (i) on t(i)
  for (i = 0; i < N; i++) a[i] = i, b[i] = 2 * i;
#pragma xmp reflect (a) async(1)
#pragma xmp reduction(+:s) async(id)
#pragma xmp bcast (v) from p(n) async(id+1)
#pragma xmp reflect (b) width(1:0) async(1)
#pragma xmp bcast (w) async(6)
#pragma xmp wait_async(6, id+1)
  if (w != 1 || v[2] != n) bad = 1;
#pragma xmp wait_async (1)
#pragma xmp loop (i) on t(i) reduction(+:bad)
  for (i = 1; i < N - 1; i++) bad += a[i - 1] + a[i + 1] != 2 * i || b[i - 1] != 2 * i - 2;
#pragma xmp wait_async(4)
  if (s != n * (n + 1) / 2) bad = 1;
#pragma xmp wait_async(99)
#pragma xmp reduction(+:bad)
#pragma xmp task on p(1)
  { printf(bad ? "ERROR\n" : "PASS\n"); }
  return bad != 0;
}
