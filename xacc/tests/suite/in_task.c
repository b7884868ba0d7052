// ranks: 4 7
// A function called in a task declares nodes of the executing set, templates, arrays; the two halves do different work.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
static long work(int n, int f) {
#pragma xmp nodes here[*] = *
#pragma xmp template t[n]
#pragma xmp distribute t[block] onto here
  long v[n], s = 0;
#pragma xmp align v[i] with t[i]
#pragma xmp shadow v[1]
  int i;
#pragma xmp loop (i) on t[i]
  for (i = 0; i < n; i++) v[i] = f * i;
#pragma xmp reflect (v) width(/periodic/1)
#pragma xmp loop (i) on t[i] reduction(+:s)
  for (i = 0; i < n; i++) s += v[i + 1] - v[i] + v[i - 1];
  return s;
}
int main(int argc, char **argv) {
  int me = xmpc_node_num(), n = xmpc_num_nodes(), half = n / 2, bad = 0;
  long got = 0;
  for (int round = 0; round < 3; round++) {
#pragma xmp tasks
    {
#pragma xmp task on p[0:half]
      got = work(20 + round, 1);
#pragma xmp task on p[half:n-half]
      got = work(31 + round, 2);
    }
    int k = me < half ? 20 + round : 31 + round;
    if (got != (me < half ? 1 : 2) * k * (k - 1) / 2) bad = 1;
  }
  got = work(11, 3);
  if (got != 165) bad = 2;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[n-1]
  { printf(bad ? "ERROR\n" : "PASS\n"); }
  return bad;
}
