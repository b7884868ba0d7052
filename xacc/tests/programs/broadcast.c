// ranks: 3 4
// bcast of scalars, arrays, structs, sections and parameters; from nodes and templates; asynchronous.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
struct pair {
  int x;
  double y;
};
#pragma xmp nodes p(*)
#pragma xmp template t(0:29)
#pragma xmp distribute t(cyclic) onto p
static int copy(int v[2][3], int me) {
  for (int i = 0; i < 6; i++) v[i / 3][i % 3] = me * 10 + i;
#pragma xmp bcast (v) from p(2)
  return v[1][2] == 25;
}
int main(void) {
  int me = xmp_node_num(), n = xmp_num_nodes(), bad = 0, a[4][5], v[2][3], k = me;
  struct pair s = {me, -me}, list[3] = {{me, 1}, {me, 2}, {me, 3}};
  float f = me;
  for (int i = 0; i < 20; i++) a[i / 5][i % 5] = me * 100 + i;
#pragma xmp bcast (k, s, list)
  if (k != 1 || s.x != 1 || s.y != -1 || list[2].x != 1 || list[2].y != 3) bad = 1;
#pragma xmp bcast (a[1][1:2]) from p(3)
  if (a[1][1] != 306 || a[1][2] != 307 || a[1][3] != me * 100 + 8 || a[1][0] != me * 100 + 5) bad = 2;
#pragma xmp bcast (a[2:2][:]) from t(1)
  if (a[2][0] != 210 || a[3][4] != 219 || a[1][4] != me * 100 + 9) bad = 3;
  for (int j = 1; j <= n; j++) {
    f = me;
#pragma xmp bcast (f) from p(j) on p(1:n) async(100)
#pragma xmp wait_async(100) on p(1:n)
    if (f != j) bad = 4;
    k = me;
#pragma xmp bcast (k) from p(n) on p(2:n)
    if (k != (me == 1 ? 1 : n)) bad = 5;
  }
  if (!copy(v, me)) bad = 6;
#pragma xmp reduction(max:bad)
#pragma xmp task on p(1)
  { printf("%s %d\n", bad ? "ERROR" : "PASS", bad); }
  return bad;
}
