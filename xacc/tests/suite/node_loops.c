// ranks: 4 6
// Loops over nodes: each iteration is executed by its set of nodes, as if it stood in a task.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(2,*)
#pragma xmp nodes line(*)
int result = 0, got[8], lb[3] = {1, 2, 4}, ub[3] = {1, 3, 4};
static void subtask(int i)
{
#pragma xmp nodes here(*)=*
#pragma xmp template t(0:9)
#pragma xmp distribute t(block) onto here
  int a[10], s = 0, n = xmp_num_nodes();
#pragma xmp align a[k] with t(k)
#pragma xmp shadow a[1]
  if (n != 2) result = 1;
#pragma xmp loop (k) on t(k)
  for (int k = 0; k < 10; k++) a[k] = i * k;
#pragma xmp reflect (a)
#pragma xmp loop (k) on t(k) reduction(+:s)
  for (int k = 1; k < 10; k++) s += a[k] - a[k - 1];
  if (s != 9 * i) result = 2;
#pragma xmp barrier
  got[i] = s;
}
int main(void)
{
  int i, n = xmp_num_nodes(), me = xmp_node_num(), rows = n / 2, s;
#pragma xmp loop on p(:,i)
  for (i = 1; i <= rows; i++)
    subtask(i);
  for (i = 1; i <= rows; i++)
    if (got[i] != ((me - 1) / 2 + 1 == i ? 9 * i : 0)) result = 3;
  s = me;
#pragma xmp loop (i) on p(*,i)
  for (i = 1; i <= rows; i++) {
#pragma xmp reduction(+:s)
  }
  if (s != me) result = 4;
  s = me;
#pragma xmp loop (i) on p(:,i)
  for (i = 1; i <= rows; i++)
    {
#pragma xmp reduction(max:s)
#pragma xmp bcast (s)
    }
  if (s != ((me - 1) / 2 + 1) * 2) result = 5;
  s = 0;
#pragma xmp loop (i,j) on p(i,j) reduction(+:s)
  for (int j = 1; j <= rows; j++)
    for (i = 1; i <= 2; i++) {
      s += xmp_all_node_num();
#pragma xmp barrier
    }
  if (s != n * (n + 1) / 2) result = 6;
#pragma xmp reduction(max:result)
#pragma xmp task on line(1)
  {
    if (result == 0) printf("PASS\n");
    else { printf("ERROR %d\n", result); exit(1); }
  }
  return 0;
}
