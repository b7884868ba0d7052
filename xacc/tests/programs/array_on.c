// ranks: 1 2 3 4 8
// flags: -lm
// array on a template: whole, sections with steps, offsets, overlap with a shadow, cyclic, collapsed and local arrays, one element.
#include <math.h>
#include <stdio.h>
#define N 22
#define M 5
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template u[N+3]
#pragma xmp distribute u[cyclic(2)] onto p
#pragma xmp template w(-2:N)
#pragma xmp distribute w(cyclic) onto p
double a[N], b[N], g[N];
int c[N][M], d[N], e[M][N], f[N];
#pragma xmp align [i] with t[i] shadow [2:1] :: a, b
#pragma xmp align g[i] with t[i]
#pragma xmp align c[i][*] with t[i]
#pragma xmp align d[i] with u[i+3]
#pragma xmp align e[*][i] with u[i]
#pragma xmp align f[i] with w(i-2)
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d, i %d\n", __LINE__, i); } } while (0)
static void add(double x[N], double y[N]) {
#pragma xmp align [i] with t[i] shadow [2:1] :: x, y
#pragma xmp array on t[1:N-1]
  x[1:N-1] = y[0:N-1] + 1;
}
int main(void) {
  int n = 7, local[N];
  double s = 0;
#pragma xmp array on t[:]
  a[:] = 1.5;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) b[i] = i;
#pragma xmp array on t[:]
  a[:] = sqrt(b[:] + b[:]) + a[:];
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) EXPECT(fabs(a[i] - sqrt(2.0 * i) - 1.5) < 1e-12);
#pragma xmp array on t[3:n:2] profile(odd)
  a[3:n:2] = b[3:n:2] * 10;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) EXPECT(i % 2 == 0 || i < 3 || i > 15 ? fabs(a[i] - sqrt(2.0 * i) - 1.5) < 1e-12 : a[i] == 10 * i);
#pragma xmp reflect (b)
#pragma xmp array on t(2:N-2)
  b[2:N-3] = b[0:N-3] + b[3:N-3];
#pragma xmp reflect (b)
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < N; i++) {
    EXPECT(b[i] == (i < 2 || i == N - 1 ? i : 2 * i - 1));
    if (i > 0) s += b[i - 1];
  }
#pragma xmp array on t[N-1:N:-1]
  g[N-1:N:-1] = 4;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp reflect (a)
  add(a, a);
#pragma xmp reflect (a)
  add(b, a);
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) EXPECT(a[i] == i && g[i] == 4);
  for (int i = 0; i < 1; i++)
#pragma xmp array on t[:]
    c[:][:] = 3;
#pragma xmp array on t[4]
  c[4][1:3] = 8;
#pragma xmp array on t[1:9]
  c[1:9][0] = c[1:9][1] + 1;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) EXPECT(c[i][j] == (j == 0 && i >= 1 && i < 10 ? (i == 4 ? 9 : 4) : i == 4 && j > 0 && j < 4 ? 8 : 3));
#pragma xmp array on u[3:N]
  d[:] = 5;
#pragma xmp array on u[N+2:6:-3]
  d[N-1:6:-3] = d[N-1:6:-3] + n;
#pragma xmp loop on u[i+3]
  for (int i = 0; i < N; i++) EXPECT(d[i] == (i % 3 == (N - 1) % 3 && i >= N - 16 ? 12 : 5));
#pragma xmp array on u[0:N]
  e[:][:] = 2;
#pragma xmp array on u(1:9:4)
  e[2][1:3:4] = 1;
#pragma xmp loop on u[i]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) EXPECT(e[j][i] == (j == 2 && (i == 1 || i == 5 || i == 9) ? 1 : 2));
#pragma xmp array on w(-2:N-3)
  f[:] = 6;
#pragma xmp array on w(:)
  f[3:4] = 7;
#pragma xmp loop on w(i-2)
  for (int i = 0; i < N; i++) EXPECT(f[i] == (i >= 3 && i < 7 ? 7 : 6));
  local[:] = -1;
#pragma xmp array on t[:]
  local[:] = g[:];
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) EXPECT(local[i] == 4);
#pragma xmp reduction(+:bad)
#pragma xmp task on p[0]
  { printf("%s\n", bad || s != (N - 1) * (N - 3) + 1 ? "ERROR" : "PASS"); }
  return bad;
}
