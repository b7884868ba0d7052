// ranks: 4
// Directives indented and at odd places: after a label, in a switch, in do and while loops, in else branches, in macros' neighbourhood.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 40
#define FOR(v) for (int v = 0; v < N; v++)
    #pragma xmp nodes p[2][2]
  #pragma xmp template t[N][N]
	#pragma xmp distribute t[block][block] onto p
int m[N][N];
# pragma xmp align m[i][j] with t[i][j]
# pragma xmp shadow m[1][1]
int main(void) {
  int k = 0, s = 0, mode;
  for (mode = 0; mode < 3; mode++) {
    switch (mode) {
      case 0:
#pragma xmp loop (i,j) on t[i][j]
        for (int i = 0; i < N; i++)
          for (int j = 0; j < N; j++) m[i][j] = 1;
        break;
      case 1: {
#pragma xmp reflect (m)
        break;
      }
      default:
#pragma xmp barrier
        break;
    }
  }
  do {
#pragma xmp loop (i,j) on t[i][j] reduction(+:s)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) s += m[i - 1][j + 1];
    k++;
  } while (k < 2);
  while (k-- > 0) {
#pragma xmp reflect (m)
  }
  if (s < 0) {
    s = 0;
  } else {
#pragma xmp bcast (s) from p[1][1]
  }
  int other = 7; FOR(q) other += q;
#pragma xmp task on p[0][:]
  {
#pragma xmp task on p[0][1]
    { other++; }
#pragma xmp bcast (other) from p[0][1]
  }
  int bad = s != 2 * (N - 2) * (N - 2) || other != 7 + N * (N - 1) / 2 + (xmpc_node_num() < 2);
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0][0]
  { printf(bad ? "ERROR %d %d\n" : "PASS\n", s, other); }
  return bad;
}
