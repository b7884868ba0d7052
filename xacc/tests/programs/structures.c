// Aligned members of structures at file scope: each variable has its own arrays.
// ranks: 1 2 3 4
// flags: -Wno-unknown-pragmas
// unproved: its arrays have the names of members
#include <stdio.h>
#include <xmp.h>
#define N 14
#define M 5
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[N]
#pragma xmp distribute s[cyclic(2)] onto p
struct field {
  int steps;
  double u[N][M];
  /* x[3] of a comment */ float x[N];
};
#pragma xmp align field.u[i][*] with t[i]
#pragma xmp shadow field.u[1][0]
#pragma xmp align field.x[i] with s[i]
struct field one, two;
double flat[N];
#pragma xmp align flat[i] with t[i]
int bad;

static void check(double have, double want) {
  if (have != want && bad++ < 3) printf("ERROR %g, not %g\n", have, want);
}

static double sum(double u[N][M]) {
#pragma xmp align u[i][*] with t[i]
  double total = 0;
#pragma xmp loop on t[i] reduction(+:total)
  for (int i = 0; i < N; i++) total += u[i][M - 1];
  return total;
}

int main(void) {
  float all[N];
  one.steps = 3;
  two.steps = one.steps + 1;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      one.u[i][j] = 10 * i + j;
      two.u[i][j] = -1;
    }
#pragma xmp loop on s[i]
  for (int i = 0; i < N; i++) one.x[i] = (float)(i * i);
#pragma xmp reflect (one.u)
#pragma xmp loop on t[i]
  for (int i = 1; i < N - 1; i++) two.u[i][M - 1] = one.u[i - 1][M - 1] + one.u[i + 1][M - 1];
#pragma xmp array on t[:]
  flat[:] = two.u[:][M - 1] + two.steps;
#pragma xmp gmove
  all[:] = one.x[:];
#pragma xmp gmove
  two.x[0:3] = one.x[5:3];
  double total = sum(two.u), want = -2;
  for (int i = 1; i < N - 1; i++) want += 20 * i + 2 * (M - 1);
  check(total, want);
  for (int i = 0; i < N; i++) check(all[i], i * i);
#pragma xmp loop on t[i]
  for (int i = 1; i < N - 1; i++) check(flat[i], 20 * i + 2 * (M - 1) + 4);
#pragma xmp loop on s[i]
  for (int i = 0; i < N; i++) check(two . x[i], i < 3 ? (i + 5) * (i + 5) : 0);
#pragma xmp reduction (+:bad)
  if (xmpc_node_num() == 0 && bad == 0) printf("PASS\n");
  return bad != 0;
}
