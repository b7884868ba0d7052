// ranks: 5 8
// Fewer elements than nodes, empty blocks, arrays of one element, block(n) that leaves nodes over, loops over them.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[3]
#pragma xmp distribute t[block] onto p
#pragma xmp template u[9]
#pragma xmp distribute u[block(4)] onto p
#pragma xmp template v[1][7]
#pragma xmp distribute v[*][cyclic(2)] onto p
int a[3], b[9], c[1][7];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with u[i]
#pragma xmp align c[j][i] with v[j][i]
#pragma xmp shadow a[1]
#pragma xmp shadow b[1]
int main(void) {
  int i, s = 0, n = 0, m = 100;
#pragma xmp loop (i) on t[i]
  for (i = 0; i < 3; i++) a[i] = i + 1;
#pragma xmp loop (i) on u[i]
  for (i = 0; i < 9; i++) b[i] = i + 1;
#pragma xmp loop (i) on v[0][i]
  for (i = 0; i < 7; i++) c[0][i] = i + 1;
#pragma xmp reflect (a)
#pragma xmp reflect (b)
#pragma xmp loop (i) on t[i] reduction(+:s)
  for (i = 1; i < 2; i++) s += a[i - 1] * 10 + a[i + 1];
#pragma xmp loop (i) on u[i] reduction(+:s) reduction(min:m)
  for (i = 1; i < 8; i++) {
    s += b[i - 1] - b[i + 1];
    if (b[i] < m) m = b[i];
  }
#pragma xmp loop (i) on v[*][i] reduction(+:s)
  for (i = 0; i < 7; i++) s += c[0][i];
#pragma xmp task on t[2]
  n = a[2];
#pragma xmp bcast (n) from t[2]
  int bad = s != 13 - 14 + 28 || m != 2 || n != 3;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0]
  printf(bad ? "ERROR %d %d %d\n" : "PASS\n", s, m, n);
  return bad;
}
