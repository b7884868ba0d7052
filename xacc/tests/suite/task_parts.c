// ranks: 16
// Nodes of four dimensions, tasks on parts, nodes made of parts, inquiry inside.
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
#pragma xmp nodes p(2,2,2,2)
#pragma xmp nodes q(4)=p(1:2,1,1:2,2)
#pragma xmp nodes r(2,2)=p(2,1:2,2,1:2)
int result = 0;
int main(void) {
  int id = xmp_node_num();
  int i1 = (id - 1) % 2 + 1, i2 = (id - 1) / 2 % 2 + 1, i3 = (id - 1) / 4 % 2 + 1, i4 = (id - 1) / 8 + 1;
  int s = 1, num = -1, me = -1;
#pragma xmp task on p(2,:,1,:)
  {
    num = xmp_num_nodes();
    me = xmp_node_num();
#pragma xmp reduction(+:s)
  }
  if (i1 == 2 && i3 == 1) {
    if (num != 4 || s != 4 || me != (i2 - 1) + 2 * (i4 - 1) + 1) result = -1;
  } else if (num != -1 || s != 1) result = -1;
  s = 0;
#pragma xmp task on q
  { s = xmp_num_nodes() * 100 + xmp_node_num(); }
  if (i2 == 1 && i4 == 2 ? s != 400 + (i1 - 1) + 2 * (i3 - 1) + 1 : s != 0) result = -1;
  s = 0;
#pragma xmp task on r(1:2,2)
  {
    s = xmp_num_nodes();
    int v = id;
#pragma xmp bcast (v) from r(2,2)
    if (v != 16) result = -1;
  }
  if (i1 == 2 && i3 == 2 && i4 == 2 ? s != 2 : s != 0) result = -1;
#pragma xmp tasks
  {
#pragma xmp task on p(1,:,:,:)
    {
      s = 1;
#pragma xmp barrier
#pragma xmp reduction(+:s)
    }
#pragma xmp task on p(2,:,:,:)
    {
      s = 2;
#pragma xmp reduction(+:s)
    }
  }
  if (s != (i1 == 1 ? 8 : 16)) result = -1;
#pragma xmp reduction(+:result)
#pragma xmp task on p(1,1,1,1)
  {
    if (result == 0) {
      printf("PASS\n");
    } else {
      printf("ERROR\n");
      exit(1);
    }
  }
  return 0;
}
