// ranks: 4 8
// gblock with a map that the program fills, local templates in functions, two distributions of one size.
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
#pragma xmp nodes p(4)
static int result = 0;
static void in_blocks(int n, int *map) {
#pragma xmp template t(0:n-1)
#pragma xmp distribute t(gblock(map)) onto p
  int a[n];
  double b[n][3];
  int i, s = 0;
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i][*] with t(i)
#pragma xmp shadow a[2:1]
#pragma xmp loop (i) on t(i)
  for (i = 0; i < n; i++) {
    a[i] = i;
    for (int k = 0; k < 3; k++) b[i][k] = i * k;
  }
#pragma xmp reflect (a)
#pragma xmp loop (i) on t(i) reduction(+:s)
  for (i = 2; i <= n - 2; i++) s += a[i - 2] + a[i + 1] + (int)b[i][2];
  int want = 0;
  for (i = 2; i <= n - 2; i++) want += 4 * i - 1;
  if (xmp_node_num() <= 4 && s != want) result = -1;
}
int main(int argc, char *argv[]) {
  int *m = malloc(4 * sizeof(int));
  int fixed[4] = {40, 4, 3, 53};
  m[0] = 5;
  m[1] = 10;
  m[2] = 2;
  m[3] = 16;
  in_blocks(33, m);
  in_blocks(100, fixed);
  free(m);
#pragma xmp reduction(+:result)
  if (xmp_node_num() == 1) {
    if (result == 0)
      printf("PASS\n");
    else
      printf("ERROR\n");
  }
  return result != 0;
}
