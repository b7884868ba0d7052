// ranks: 4
// What bodies of distributed loops hold: triangular loops, switch, while, goto, the value of the index, other arrays by it.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 32
#pragma xmp nodes p[2][2]
#pragma xmp template t[N][N]
#pragma xmp distribute t[block][block] onto p
int a[N][N], table[N], count[4];
#pragma xmp align a[i][j] with t[i][j]
static int (*function)(int, int);
static int add(int i, int j) { return i + j; }
int main(void) {
  int i, j, k, n = 0, s = 0;
  function = add;
  for (i = 0; i < N; i++) table[i] = (i * 5) % N;
#pragma xmp loop (i,j) on t[i][j]
  for (i = 0; i < N; i++) {
    for (j = 0; j < N; j++) {
      int g = i, h = j;
      a[g][h] = 0;
      switch ((i + j) % 4) {
        case 0: a[i][j] += table[i]; break;
        case 1: a[i][j] -= table[j]; break;
        default:
          for (k = i; k < N; k++) a[i][j]++;
      }
      k = 3;
      while (k--) {
        if (k == 1) continue;
        a[i][j] += function(i, j) * (k ? 1 : 2);
      }
      if (a[i][j] < 0) goto next;
      ++a[i][j];
      a[i][j]--;
    next:;
      count[(i + j) % 4]++;
    }
  }
#pragma xmp reduction(+:count)
#pragma xmp loop (i) on t[i][*]
  for (i = 0; i < N; i++) {
#pragma xmp loop (j) on t[*][j] reduction(+:n)
    for (j = i; j < N; j++) n += a[i][j] != 0;
  }
#pragma xmp reduction(+:n) on p[:][0]
#pragma xmp loop (i,j) on t[i][j] reduction(+:s)
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) {
      int w = 3 * (i + j);
      w += (i + j) % 4 == 0 ? table[i] : (i + j) % 4 == 1 ? -table[j] : N - i;
      s += w != a[i][j];
    }
  int bad = s != 0 || count[0] != N * N / 4 || count[3] != N * N / 4;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0][0]
  { printf(bad ? "ERROR %d\n" : "PASS\n", s); }
  return bad;
}
