// ranks: 4
// gblock with an empty block, block(n), sizes known at run time, arrays in a block of main.
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
int m[4] = {3, 0, 10, 4};
int main(int argc, char **argv) {
  int n = 17, result = 0, total = 0;
#pragma xmp nodes p(4)
#pragma xmp template t(0:n-1)
#pragma xmp distribute t(gblock(m)) onto p
#pragma xmp template s(0:n-1)
#pragma xmp distribute s(block(6)) onto p
  int a[n];
  double b[n];
#pragma xmp align a[i] with t(i)
#pragma xmp shadow a[1]
#pragma xmp align b[i] with s(i)
#pragma xmp shadow b[2:0]
#pragma xmp loop on t(i)
  for (int i = 0; i < n; i++) a[i] = i * i;
#pragma xmp loop on s(i)
  for (int i = 0; i < n; i++) b[i] = i;
#pragma xmp reflect (a, b)
#pragma xmp loop on t(i) reduction(+:result)
  for (int i = 1; i < n - 1; i++)
    if (a[i - 1] != (i - 1) * (i - 1) || a[i + 1] != (i + 1) * (i + 1)) result++;
#pragma xmp loop on s(i) reduction(+:result)
  for (int i = 2; i < n; i++)
    if (b[i - 2] + b[i - 1] != 2 * i - 3) result++;
  int mine = 0;
#pragma xmp loop on t(i)
  for (int i = 0; i < n; i++) mine++;
  if (mine != m[xmpc_node_num()]) result++;
#pragma xmp reduction(+:result)
#pragma xmp loop on t(i) reduction(+:total)
  for (int i = 0; i < n; i++) total += i;
  if (total != n * (n - 1) / 2) result++;
#pragma xmp task on p(1)
  {
    if (result) {
      fprintf(stderr, "ERROR %d\n", result);
      exit(1);
    }
    printf("PASS\n");
  }
  return 0;
}
