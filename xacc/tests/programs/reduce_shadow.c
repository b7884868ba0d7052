// ranks: 1 2 3 4 6 8
// reduce_shadow against the sum over all ranks' contributions: corners, periodic, widths, orthogonal, async.
#include <stdio.h>
#include <string.h>
#include <xmp.h>
#define N 14
#define M 9
#pragma xmp nodes p[*][*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][block] onto p
double a[N][M];
int b[N][M];
#pragma xmp align [i][j] with t[i][j] shadow [1:2][1] :: a, b
static int bad;
static double want[N][M];
#define W(i, j, di, dj) (1 + (i) * 3 + (j) + 100 * (di) + 1000 * (dj))
/* Each element gives to those at -1..2, -1..1 beside it; what falls beside the array goes round where periodic, else is lost. */
static void add(int i, int j, int di, int dj, int below, int above, int side, int round_i, int round_j) {
  int ii = i + di, jj = j + dj;
  if (di < -below || di > above || dj < -side || dj > side) return;
  if (!round_i && (ii < 0 || ii >= N)) return;
  if (!round_j && (jj < 0 || jj >= M)) return;
  want[(ii + N) % N][(jj + M) % M] += W(i, j, di, dj);
}
static void check(int line) {
#pragma xmp loop on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      if (a[i][j] != want[i][j] || b[i][j] != want[i][j]) {
        if (!bad++) printf("line %d: a[%d][%d] is %g, not %g\n", line, i, j, a[i][j], want[i][j]);
      }
}
static void give(int below, int above, int side, int round_i, int round_j, int cross) {
#pragma xmp loop on t[i][j] expand(/unbound/1:2, /unbound/1:1)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) a[i][j] = b[i][j] = 0;
  memset(want, 0, sizeof want);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int di = -1; di <= 2; di++)
        for (int dj = -1; dj <= 1; dj++)
          if (!cross || !di || !dj) add(i, j, di, dj, below, above, side, round_i, round_j);
#pragma xmp loop on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int di = -below; di <= above; di++)
        for (int dj = -side; dj <= side; dj++)
          if (!cross || !di || !dj) {
            a[i + di][j + dj] += W(i, j, di, dj);
            b[i + di][j + dj] += W(i, j, di, dj);
          }
}
int main(void) {
  give(1, 2, 1, 0, 0, 0);
#pragma xmp reduce_shadow (a, b)
  check(__LINE__);
  give(1, 2, 1, 1, 1, 0);
#pragma xmp reduce_shadow (a, b) width(/periodic/1:2, /periodic/1) async(5)
#pragma xmp wait_async(5)
  check(__LINE__);
  give(1, 1, 1, 0, 1, 0);
#pragma xmp reduce_shadow (a, b) width(1:1, /periodic/1) profile
  check(__LINE__);
  give(1, 2, 0, 1, 0, 0);
#pragma xmp reduce_shadow (a, b) width(/periodic/1:2, 0)
  check(__LINE__);
  give(1, 2, 1, 0, 0, 1);
#pragma xmp reduce_shadow (a, b) orthogonal
  check(__LINE__);
#pragma xmp reduction(+:bad)
#pragma xmp task on p[0][0]
  { printf("%s\n", bad ? "ERROR" : "PASS"); }
  return bad;
}
