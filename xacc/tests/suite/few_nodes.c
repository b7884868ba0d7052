// ranks: 6 16
// Nodes fewer than ranks, templates and arrays on them, loops and reductions that the others pass by.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes world(*)
#pragma xmp nodes p(4) = world(2:5)
#pragma xmp nodes q(2,2) = world(2:5)
#pragma xmp template t(0:99)
#pragma xmp template u(0:9,0:9)
#pragma xmp distribute t(block) onto p
#pragma xmp distribute u(block,cyclic) onto q
int a[100], s, b[10][10], k = -1;
#pragma xmp align a[i] with t(i)
#pragma xmp align b[j][i] with u(i,j)
int main(void) {
  int i, j, bad = 0, me = xmp_node_num(), in = me >= 2 && me <= 5;
  s = 0;
#pragma xmp loop (i) on t(i) reduction(+:s)
  for (i = 0; i < 100; i++) {
    a[i] = i;
    s += a[i];
  }
  if (s != (in ? 4950 : 0)) bad = 1;
#pragma xmp loop (i,j) on u(i,j)
  for (j = 0; j < 10; j++)
    for (i = 0; i < 10; i++) b[j][i] = i - j;
  s = 0;
#pragma xmp task on q
  {
#pragma xmp loop (i,j) on u(i,j) reduction(+:s)
    for (j = 0; j < 10; j++)
      for (i = 0; i < 10; i++) s += b[j][i] * b[j][i];
    if (s != 1650) bad = 2;
  }
#pragma xmp task on t(57)
  { k = a[57]; }
#pragma xmp bcast (k) from t(57)
  if (k != 57) bad = 3;
#pragma xmp bcast (s) from p(1)
  if (s != 1650) bad = 4;
#pragma xmp barrier on p
#pragma xmp barrier on t(1:30)
#pragma xmp barrier
#pragma xmp reduction(max:bad)
#pragma xmp task on world(1)
  { printf("%s %d\n", bad ? "ERROR" : "PASS", bad); }
  return bad;
}
