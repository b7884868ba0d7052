// ranks: 1 2 4
// Full shadow, collapsed dimensions with : in align, loops over part of the range, integer sums.
#include <stdio.h>
#include <xmp.h>
#define N 11
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template q[N][N]
#pragma xmp distribute q[block][*] onto p
int v[N], y[N], m[N][N];
#pragma xmp align [i] with t[i] :: v, y
#pragma xmp align m[:][*] with q[:][*]
#pragma xmp shadow v[*]
int main(void) {
  int bad = 0, me = xmp_node_num();
#pragma xmp loop [i] on t[i]
  for (int i = 0; i < N; i++) {
    v[i] = i + 1;
    for (int j = 0; j < N; j++) m[i][j] = i - j;
  }
#pragma xmp reflect(v)
  for (int i = 0; i < N; i++)
    if (v[i] != i + 1) bad = 1;
#pragma xmp loop [i] on t[i]
  for (int i = 2; i < N - 3; i++) {
    y[i] = 0;
    for (int j = 0; j < N; j++) y[i] += m[i][j] * v[j];
  }
#pragma xmp loop [i] on t[i] reduction(max:bad)
  for (int i = 2; i < N - 3; i++) {
    int want = 0;
    for (int j = 0; j < N; j++) want += (i - j) * (j + 1);
    if (y[i] != want) bad = 2;
  }
#pragma xmp loop (i) on q[i][j]
  for (int i = 0; i < N; i++) /* all j, on each node of the row */
    for (int j = 0; j < N; j++)
      if (m[i][j] != i - j) bad = 4;
#pragma xmp loop [i] on t[i] reduction(max:bad)
  for (int i = N - 3; i < N; i++)
    if (y[i] != 0) bad = 3;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0]
  { printf("%s %d\n", bad ? "ERROR" : "PASS", bad); }
  return bad + 0 * me;
}
