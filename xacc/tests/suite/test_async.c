// ranks: 2 4
// xmp_test_async: whether what began has ended; several ids, expressions as ids, arrays.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 64
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
int main(void) {
  int n = xmp_num_nodes(), me = xmp_node_num(), id = 3, bad = 0, first = me;
  double tick = me, list[5];
  for (int k = 0; k < 5; k++) list[k] = k * me;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp reduction(max: tick) async(1)
#pragma xmp reduction(+: list) async(id - 1)
#pragma xmp bcast(first) from p[n-1] async(id)
#pragma xmp reflect(a) width(/periodic/1) async(id + 1)
  while (!xmp_test_async(1)) ;
  if (tick != n) bad = 1;
  while (!xmp_test_async(4)) ;
#pragma xmp loop on t[i] reduction(+:bad)
  for (int i = 0; i < N; i++) bad += a[i - 1] != (i + N - 1) % N || a[i + 1] != (i + 1) % N;
#pragma xmp wait_async(1, 2) on p[:]
#pragma xmp wait_async(id, 99)
  for (int k = 0; k < 5; k++) if (list[k] != k * n * (n + 1) / 2) bad = 2;
  if (first != n || !xmp_test_async(77)) bad = 3;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0]
  printf(bad ? "ERROR %d\n" : "PASS\n", bad);
  return bad;
}
