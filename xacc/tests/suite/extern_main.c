// ranks: 2 4
// with: extern_more.c
// Arrays, nodes and template of a header in two files; a function that other files call with the array.
#include "extern_map.h"
double v[SIZE];
int main(void) {
  double s = 0;
  int i, n = xmp_num_nodes();
  fill(v, 2.0);
  halo();
#pragma xmp loop on t[i] reduction(+:s)
  for (i = 1; i < SIZE - 1; i++) s += v[i - 1] + v[i + 1];
  double want = 0;
  for (i = 1; i < SIZE - 1; i++) want += 2.0 * (2 * i);
  int bad = s != want || total(v) != 2.0 * SIZE * (SIZE - 1) / 2 || n != count();
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0]
  printf("%s\n", bad ? "ERROR" : "PASS");
  return bad;
}
