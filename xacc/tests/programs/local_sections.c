// ranks: 1 2
// flags: -lm
// Sections of local arrays: steps, overlap, values found once, rows, members, pointers, ends that need not be written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define N 10
struct s { int v[4]; double w; };
int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d\n", __LINE__); } } while (0)
static int calls;
static int next(void) { return ++calls; }
static void shift(int *p, int *q, int n) { p[0:n] = q[0:n]; }
static void rows(int m[3][N]) { m[1][:] = m[0][::-1]; if (m[0][0] > 100) m[2][:] = 1; else m[2][:] = 2; }
int main(void) {
  int a[N], b[N], c[3][N], m = 4;
  double d[N];
  struct s s[3];
  a[:] = 7;
  for (int i = 0; i < N; i++) { EXPECT(a[i] == 7); b[i] = i; }
  a[2:m] = b[5:m];
  for (int i = 0; i < 4; i++) EXPECT(a[2 + i] == 5 + i);
  b[1:N-1] = b[0:N-1];
  for (int i = 1; i < N; i++) EXPECT(b[i] == i - 1);
  EXPECT(b[0] == 0);
  a[0:5:2] = b[9:5:-2] * 2 + 1;
  for (int i = 0; i < 5; i++) EXPECT(a[2 * i] == 2 * (8 - 2 * i) + 1);
  a[:] = next();
  EXPECT(calls == 1 && a[9] == 1);
  c[:][:] = 3; c[1][:] = a[:];
  EXPECT(c[0][4] == 3 && c[1][9] == 1 && c[2][0] == 3);
  c[0][:] = b[:];
  rows(c);
  for (int i = 0; i < N; i++) EXPECT(c[1][i] == c[0][N - 1 - i] && c[2][i] == 2);
  b[:] = b[:] + 1;
  EXPECT(b[9] == 9);
  shift(b + 1, b, 9);
  EXPECT(b[1] == 1 && b[2] == 1 && b[9] == 8);
  for (int i = 0; i < 3; i++) s[i].v[:] = i;
  s[:].w = 2.5;
  EXPECT(s[2].v[3] == 2 && s[0].w == 2.5 && s[2].w == 2.5);
  d[:] = sqrt(b[:] * 1.0);
  EXPECT(d[9] == sqrt(8.0));
  a[:] = a[3];
  printf("%s\n", bad ? "ERROR" : "PASS");
  return bad;
}
