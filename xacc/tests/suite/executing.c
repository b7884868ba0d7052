// ranks: 4
// on *: the executing nodes by name, inside and outside of tasks.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[4]
int main(){
  int me = xmpc_all_node_num(), s = 1, b = me, result = 0;
#pragma xmp reduction(+:s) on *
  if (s != 4) result = 1;
#pragma xmp barrier on *
#pragma xmp task on p[1:2]
  {
    s = 1;
#pragma xmp reduction(+:s) on *
    if (s != 2) result = 2;
#pragma xmp bcast(b) from p[2] on *
    if (b != 2) result = 3;
#pragma xmp barrier on *
#pragma xmp task on *
    { s = xmp_num_nodes(); }
    if (s != 2) result = 4;
  }
  if ((me == 0 || me == 3) && b != me) result = 5;
#pragma xmp reduction(max:result)
#pragma xmp task on p[0]
  {
    if (result == 0) printf("PASS\n");
    else { printf("ERROR %d\n", result); exit(1); }
  }
  return 0;
}
