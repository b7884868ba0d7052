// A full shadow of cyclic dimensions: after reflect each node reads any element under its global index.
// ranks: 1 2 3 4
// flags: -Wno-unknown-pragmas
// unproved: cyclic dimensions have halos of another kind
#include <stdio.h>
#include <xmp.h>
#define N 13
#define M 6
#pragma xmp nodes p[*]
#pragma xmp nodes r[1][*]
#pragma xmp template t[N + 2]
#pragma xmp distribute t[cyclic(2)] onto p
#pragma xmp template u[M][N]
#pragma xmp distribute u[block][cyclic] onto r
#pragma xmp template w[N][M]
#pragma xmp distribute w[cyclic][*] onto p
double a[N], b[M][N];
int c[N][M];
#pragma xmp align a[i] with t[i + 1]
#pragma xmp shadow a[*]
#pragma xmp align b[i][j] with u[i][j]
#pragma xmp shadow b[*][*]
#pragma xmp align c[i][j] with w[i][j]
#pragma xmp shadow c[*][0]
int bad;

static double total(double x[N]) {
#pragma xmp align x[i] with t[i + 1]
#pragma xmp shadow x[*]
  double sum = 0;
  for (int i = 0; i < N; i++) sum += x[i] * (i + 1);
  return sum;
}

static void check(double have, double want) {
  if (have != want && bad++ < 3) printf("ERROR %g, not %g\n", have, want);
}

int main(void) {
  double want = 0;
#pragma xmp loop on t[i + 1]
  for (int i = 0; i < N; i++) a[i] = 3 * i - 1;
#pragma xmp loop (i, j) on u[i][j]
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) b[i][j] = 100 * i + j;
#pragma xmp loop on w[i][*]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) c[i][j] = i - 50 * j;
#pragma xmp reflect (a, b)
#pragma xmp reflect (c) async(3)
#pragma xmp wait_async (3)
  for (int i = 0; i < N; i++) {
    check(a[i], 3 * i - 1);
    want += (3 * i - 1) * (i + 1);
    for (int j = 0; j < M; j++) {
      check(b[j][i], 100 * j + i);
      check(c[i][j], i - 50 * j);
    }
  }
  check(total(a), want);
#pragma xmp reflect_init (a)
  for (int step = 1; step < 4; step++) {
#pragma xmp loop on t[i + 1]
    for (int i = 1; i < N - 1; i++) a[i] += a[N - 1 - i < i ? 0 : N - 1];
#pragma xmp reflect_do (a)
    check(a[1], 2 + step * (3 * N - 4));
    check(a[N - 2], 3 * N - 7 - step);
  }
#pragma xmp reduction (+:bad)
  if (xmpc_node_num() == 0 && bad == 0) printf("PASS\n");
  return bad != 0;
}
