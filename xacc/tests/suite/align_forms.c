// ranks: 4
// Alignments: transposed, offset both ways, collapsed, replicated, a row of the template, higher dimensions.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 10
#define M 12
#pragma xmp nodes p[2][2]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][cyclic(2)] onto p
#pragma xmp template w(-3:20)
#pragma xmp nodes line(4)
#pragma xmp distribute w(block(7)) onto line
int a[M][N], b[N][5][M], c[N], d[M], e[N - 2][M - 3], f[N], g[12];
#pragma xmp align a[j][i] with t[i][j]
#pragma xmp align b[i][*][j] with t[i][j]
#pragma xmp align c[i] with t[i][*]
#pragma xmp align d[j] with t[*][j]
#pragma xmp align e[i][j] with t[i+2][j+3]
#pragma xmp align f[i] with t[i][7]
#pragma xmp align g[i] with w(i-3)
static int result;
static void check(int ok, int line) {
  if (!ok) {
    printf("wrong at line %d\n", line);
    result = -1;
  }
}
#define CHECK(x) check(x, __LINE__)
int main(void) {
  int i, j, k, s = 0;
#pragma xmp loop (i,j) on t[i][j]
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) {
      a[j][i] = i * 100 + j;
      for (k = 0; k < 5; k++) b[i][k][j] = i * 100 + j + k;
    }
#pragma xmp loop (i) on t[i][*]
  for (i = 0; i < N; i++) c[i] = i;
#pragma xmp loop (j) on t[*][j]
  for (j = 0; j < M; j++) d[j] = j;
#pragma xmp loop (i,j) on t[i+2][j+3]
  for (i = 0; i < N - 2; i++)
    for (j = 0; j < M - 3; j++) e[i][j] = a[j + 3][i + 2];
#pragma xmp loop (i) on t[i][7]
  for (i = 0; i < N; i++) f[i] = i * i;
#pragma xmp loop (i) on w(i-3)
  for (i = 0; i < 12; i++) g[i] = i;
#pragma xmp loop (i,j) on t[i][j] reduction(+:s)
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) {
      s += a[j][i] + b[i][4][j];
      CHECK(c[i] == i && d[j] == j);
      if (j == 7) CHECK(f[i] == i * i);
    }
  int want = 0;
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) want += 2 * (i * 100 + j) + 4;
  CHECK(s == want);
  s = 0;
#pragma xmp loop (i,j) on t[i+2][j+3] reduction(+:s)
  for (i = 0; i < N - 2; i++)
    for (j = 0; j < M - 3; j++) s += e[i][j] == (i + 2) * 100 + j + 3;
  CHECK(s == (N - 2) * (M - 3));
  s = 0;
#pragma xmp loop on w(i) reduction(+:s)
  for (i = -3; i <= 8; i++) s += g[i + 3] == i + 3;
  CHECK(s == 12);
  s = 0;
#pragma xmp loop (i) on t[i][*] reduction(+:s)
  for (i = 0; i < N; i++) s += c[i];
  CHECK(s == N * (N - 1) / 2);
#pragma xmp reduction(min:result)
#pragma xmp task on p[0][0]
  { printf("%s\n", result ? "ERROR" : "PASS"); }
  return result != 0;
}
