// ranks: 4 8
// Replicated axes, subsets of dimensions, node sections with reduction and bcast, own (*) references.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 12
#pragma xmp nodes p[2][*]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][cyclic] onto p
int v[N], w[N], a[N][N];
#pragma xmp align v[i] with t[i][*]
#pragma xmp align w[j] with t[*][j]
#pragma xmp align a[i][j] with t[i][j]
int main(void) {
  int bad = 0, cols = xmp_num_nodes() / 2, me = xmpc_node_num();
#pragma xmp loop on t[i][*]
  for (int i = 0; i < N; i++) v[i] = i + 1;
#pragma xmp loop on t[*][j]
  for (int j = 0; j < N; j++) w[j] = 10 * j;
#pragma xmp loop on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = v[i] * w[j];
  int s = 0, r = 0, all = 0, want = 0;
#pragma xmp loop on t[i][:] reduction(+:s)
  for (int i = 0; i < N; i++) s += v[i];
#pragma xmp loop on t[:][j] reduction(+:r)
  for (int j = 0; j < N; j++) r += w[j];
#pragma xmp loop on t[i][j] reduction(+:all)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) all += a[i][j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) want += (i + 1) * 10 * j;
  if (s != N * (N + 1) / 2 || r != 10 * N * (N - 1) / 2 || all != want) bad = 1;
  int x = me;
#pragma xmp reduction(+:x) on p[*][:]
  int row = me / cols, sum = 0;
  for (int k = 0; k < cols; k++) sum += row * cols + k;
  if (x != sum) bad = 2;
  x = me;
#pragma xmp reduction(max:x) on p[1][:]
  if (x != (row == 1 ? 2 * cols - 1 : me)) bad = 3;
  x = me;
#pragma xmp bcast (x) from p[1][0]
  if (x != cols) bad = 4;
  x = me;
#pragma xmp bcast (x) from p[1][1] on p[1][:]
  if (x != (row == 1 ? cols + 1 : me)) bad = 5;
  x = me;
#pragma xmp bcast (x) from t[N-1][*] on t[:][:]
#pragma xmp barrier
#pragma xmp barrier on p[0][:]
#pragma xmp reduction(max:bad)
  if (me == 0) printf("%s %d\n", bad ? "ERROR" : "PASS", bad);
  return bad;
}
