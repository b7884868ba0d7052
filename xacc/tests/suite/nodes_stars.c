// ranks: 8
// Shapes of nodes that stars leave open, in tasks and with descriptors.
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
#pragma xmp nodes p1(2,4)
#pragma xmp nodes p2(*,4)
#pragma xmp nodes p3(4,*)
#pragma xmp nodes p5(4,2,*)
#pragma xmp nodes p6[2][*][2]
int main() {
  int a, b, c, result = 0;
#pragma xmp task on p1(1,1)
  {
    xmp_nodes_size(xmp_desc_of(p1), 1, &a), xmp_nodes_size(xmp_desc_of(p1), 2, &b);
    if (a != 2 || b != 4) result = 1;
    xmp_nodes_size(xmp_desc_of(p2), 1, &a), xmp_nodes_size(xmp_desc_of(p2), 2, &b);
    if (a != 2 || b != 4) result = 2;
    xmp_nodes_size(xmp_desc_of(p3), 1, &a), xmp_nodes_size(xmp_desc_of(p3), 2, &b);
    if (a != 4 || b != 2) result = 3;
    xmp_nodes_size(xmp_desc_of(p5), 3, &c);
    if (c != 1) result = 4;
    xmp_nodes_size(xmp_desc_of(p6), 2, &c);
    if (c != 2) result = 5;
  }
#pragma xmp task on p1(1,1)
  {
    if (result == 0) {
      printf("PASS\n");
    } else {
      printf("ERROR %d\n", result);
      exit(1);
    }
  }
  return 0;
}
