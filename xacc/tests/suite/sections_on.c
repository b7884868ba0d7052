// ranks: 16
// Triplets of nodes and templates in task, barrier, bcast and reduction; a template with bounds 1:n by a single number.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(4,4)
#pragma xmp template t(100,100)
#pragma xmp distribute t(block,cyclic(5)) onto p
int result = 0;
int main(void) {
  int id = xmp_node_num(), i = (id - 1) % 4 + 1, j = (id - 1) / 4 + 1, k = 0, n;
#pragma xmp task on p(2:3,1:4:2)
  { k = 1; }
  if (k != ((i == 2 || i == 3) && (j == 1 || j == 3))) result = -1;
#pragma xmp task on p(2:3,1:4:2) nocomm
  { k = 0; }
#pragma xmp reduction (+:k)
  if (k != 0) result = -1;
#pragma xmp task on t(1,1)
  { k = 1; }
#pragma xmp reduction(+:k)
  if (k != 1) result = -1;
  k = 0;
#pragma xmp task on t(26:75,1:100)
  { k = 1; }
  if (k != (i == 2 || i == 3)) result = -1;
  n = id;
#pragma xmp bcast(n) from p(3,2) on p(2:4,2)
  if (n != (j == 2 && i >= 2 ? 7 : id)) result = -1;
  n = 1;
#pragma xmp reduction(+:n) on p(:,2:4:2)
  if (n != (j % 2 == 0 ? 8 : 1)) result = -1;
#pragma xmp barrier on p(1:2,:)
#pragma xmp reduction(+:result)
#pragma xmp task on p(1,1)
  {
    if (result == 0)
      printf("PASS\n");
    else
      printf("ERROR\n");
  }
  return result != 0;
}
