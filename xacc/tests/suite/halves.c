// ranks: 8
// Directives on all nodes inside of tasks that only half of them run: barrier, reduction and bcast among those that are there.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[8]
#pragma xmp nodes q[4]=p[4:4]
#pragma xmp template t[24]
#pragma xmp distribute t[block] onto p
int a[24];
#pragma xmp align a[i] with t[i]
int main(){
  int me = xmpc_all_node_num(), v = me + 1, w = me, bad = 0, s = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < 24; i++) a[i] = i;
#pragma xmp tasks
  {
#pragma xmp task on p[0:4]
    {
#pragma xmp barrier on p
#pragma xmp barrier
#pragma xmp reduction(+:v)
      if (v != 10) bad = 1;
#pragma xmp loop on t[i] reduction(+:s)
      for (int i = 0; i < 12; i++) s += a[i];
      if (s != 66) bad = 2;
    }
#pragma xmp task on q
    {
#pragma xmp barrier on q[0:2]
#pragma xmp barrier on p
#pragma xmp bcast(w) from p[6]
      if (w != 6) bad = 3;
#pragma xmp task on q[1]
      w = 77;
#pragma xmp reduction(max:w) on q
      if (w != 77) bad = 4;
    }
  }
  if (me < 4 ? w != me : v != me + 1) bad = 5;
#pragma xmp task on p[0] nocomm
  w = -1;
#pragma xmp bcast(w)
  if (w != -1) bad = 6;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0]
  {
    printf(bad ? "ERROR %d\n" : "PASS\n", bad);
  }
  return 0;
}
