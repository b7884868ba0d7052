// Several loops over one variable below a directive: all of them are distributed, but for those of directives inside.
// ranks: 1 2 4
#include <stdio.h>
#define N 13
#define M 7
int a[N][M], b[N][M], c[N][M], sum;
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[*][block] onto p
#pragma xmp template u[N][M]
#pragma xmp distribute u[*][cyclic] onto p
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp align c[i][j] with u[i][j]

int main(void) {
  int bad = 0, i, j;
#pragma xmp loop (i, j) on t[i][j]
  for (i = 0; i < N; i++) {
    for (j = 0; j < M; j++) a[i][j] = 10 * i + j;
    for (int j = M - 1; j >= 0; j--) b[i][j] = a[i][j] + 1;
    if (i % 2)
      for (j = 1; j < M; j += 2) b[i][j] += 100;
  }
#pragma xmp loop (j) on u[*][j] reduction(+ : sum)
  for (i = 0; i < N; i++) {
    for (j = 0; j < M; j++) c[i][j] = i;
    for (j = 0; j < M; j++) {
      c[i][j] += j;
      sum += c[i][j];
    }
  }
  int count = 0, wanted = 0;
#pragma xmp loop (j) on t[*][j] reduction(+ : count)
  for (i = 0; i < N; i++) {
    for (j = 0; j < M; j++) {
      if (a[i][j] != 10 * i + j) bad++;
      count++;
    }
    for (j = 0; j < M; j++)
      if (b[i][j] != 10 * i + j + 1 + (i % 2 && j % 2 ? 100 : 0)) bad++;
  }
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) wanted += i + j;
  if (count != N * M || sum != wanted) bad++;
  // A directive inside has its own loops over j.
  int inner = 0, outer = 0;
#pragma xmp loop (i) on t[i][*]
  for (i = 0; i < N; i++) {
#pragma xmp loop (j) on t[*][j]
    for (j = 0; j < M; j++) inner++;
    for (j = 0; j < M; j++) outer++;
  }
#pragma xmp reduction(+ : inner)
  if (inner != N * M || outer != N * M) bad++;
#pragma xmp reduction(+ : bad)
  if (!bad) printf("PASS\n");
  else printf("ERROR %d: %d %d %d %d\n", bad, count, sum, inner, outer);
  return bad != 0;
}
