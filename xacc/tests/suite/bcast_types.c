// ranks: 4 16
// bcast of every type, from each node in turn, on parts of the nodes; loops over node numbers as text of the directive.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "xmp.h"
#pragma xmp nodes p(4,*)
#pragma xmp nodes all(*)
static int procs, id, result = 0, size = 0;
int main(void) {
  char a;
  short b[3];
  unsigned long long c;
  long double d;
  float e[2][3];
  struct point { int x; double y[2]; } s;
  int i, j, k;
  procs = xmp_num_nodes();
  id = xmp_node_num();
  size = procs / 4;
  for (j = 1; j <= size; j++) {
    for (i = 1; i <= 4; i++) {
      int rank = (j - 1) * 4 + i;
      a = (char)id;
      c = (unsigned long long)id << 40;
      d = id / 3.0L;
      for (k = 0; k < 3; k++) b[k] = id * 10 + k, e[0][k] = id + k, e[1][k] = id - k;
      s.x = id;
      s.y[0] = s.y[1] = id / 2.0;
#pragma xmp bcast (a) from p(i, j)
#pragma xmp bcast (b, c) from p(i, j) on p(:, :)
#pragma xmp bcast (d, e) from all(rank)
#pragma xmp bcast (s) from p(i, j)
      if (a != (char)rank || c != (unsigned long long)rank << 40 || d != rank / 3.0L || s.x != rank || s.y[1] != rank / 2.0) result = -1;
      for (k = 0; k < 3; k++)
        if (b[k] != rank * 10 + k || e[1][k] != rank - k) result = -1;
    }
  }
  int v = id;
#pragma xmp bcast (v) from p(2, 1) on p(2:3, 1)
  if (id == 3) {
    if (v != 2) result = -1;
  } else if (v != id) result = -1;
  v = id;
#pragma xmp bcast (v) on p(:, *)
  if (v != (id - 1) / 4 * 4 + 1) result = -1;
#pragma xmp reduction(+:result)
#pragma xmp task on p(1,1)
  {
    if (result == 0) {
      printf("PASS\n");
    } else {
      fprintf(stderr, "ERROR\n");
      exit(1);
    }
  }
  return 0;
}
