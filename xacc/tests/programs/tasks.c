// ranks: 4 8
// task, tasks, nocomm, nested tasks, subsets of nodes, return and exit from inside a task.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp nodes half[2]=p[1:2]
#pragma xmp nodes q(2,2)=p[0:4]
#pragma xmp template t[10]
#pragma xmp distribute t[block] onto half
int a[10];
#pragma xmp align a[i] with t[i]
static int inside(void) {
#pragma xmp task on p[2]
  { return 5; }
  return 1;
}
int main(void) {
  int me = xmpc_node_num(), n = xmp_num_nodes(), bad = 0, k = 0, s = 0;
#pragma xmp tasks
  {
#pragma xmp task on p[0:2]
    {
      if (xmp_num_nodes() != 2 || xmpc_all_node_num() != me) bad = 1;
      k = me + 1;
#pragma xmp reduction(+:k)
#pragma xmp barrier
#pragma xmp task on p[1] nocomm
      { k++; }
    }
#pragma xmp task on p[2:2] nocomm
    { k = 7; }
  }
  if (k != (me == 0 ? 3 : me == 1 ? 4 : me < 4 ? 7 : 0)) bad = 2;
  if (inside() != (me == 2 ? 5 : 1)) bad = 3;
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < 10; i++) a[i] = i, s += i;
  if (s != (me == 1 || me == 2 ? 45 : 0)) bad = 4;
#pragma xmp task on t[0]
  s = -1;
  if ((s == -1) != (me == 1)) bad = 5;
#pragma xmp loop on p[i]
  for (int i = 0; i < n; i++)
    if (i != me) bad = 6;
  int row = -1, index;
#pragma xmp task on q(1,2)
  row = 2;
  if ((row == 2) != (me == 2)) bad = 7;
  if (xmp_nodes_index(xmp_desc_of(q), 2, &index) == 0 && me < 4 && index != me / 2 + 1) bad = 8;
#pragma xmp nodes e[2] = *
  int rank = -1;
  xmp_nodes_rank(xmp_desc_of(e), &rank);
  if (rank != (me < 2 ? me + 1 : 0)) bad = 9;
#pragma xmp reduction(MAX:bad)
  if (bad) {
#pragma xmp task on p[0]
    { printf("ERROR %d\n", bad); }
    return 1;
  }
#pragma xmp task on p[0]
  { printf("PASS\n"); }
  exit(0);
}
