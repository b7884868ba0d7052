// ranks: 2 4
// Declarations in the :: form, mixed notations, colons, odd white space, comments and macros in directives.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
enum { N = 24, M = 6 };
#define BOTH (1:1)
#define DIST block
#pragma xmp nodes [*] :: p, q
#pragma xmp template [N] :: s, t
#pragma xmp distribute [DIST] onto p :: s, t
#pragma xmp template w[M][N]
#pragma xmp distribute w[*][cyclic] onto q   // the first is not distributed
int a[N], b[N], c[N][M], d[M][N];
int plain[N];
#pragma xmp align [i] with s[i] :: a, b
#pragma xmp align c[:][*] with t[:]
#pragma xmp align d[j][i] with w[j][i]
#pragma xmp shadow [1] :: a, b
#pragma	xmp	shadow   c [ 2 ] [ 0 ]
int main(void) {
  int i, j, x = 0, y = 0;
#pragma xmp loop(i)on s[i] /* no blank */
  for (i = 0; i < N; i++) a[i] = i, b[i] = -i;
  #pragma xmp loop (i) \
      on t[i]
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) c[i][j] = i + j;
#pragma xmp loop (i) on w[*][i]
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++) d[j][i] = i * j;
#pragma xmp reflect (a, b, c)
#pragma xmp loop on s[i] reduction(+:x, y)
  for (i = 2; i < N - 2; i++) {
    x += a[i - 1] + b[i + 1];
    y += c[i - 2][3] - c[i + 2][1];
  }
#pragma xmp loop on w[*][i] reduction(+:y)
  for (i = 0; i < N; i++) y += d[5][i];
  int bad = x != -2 * (N - 4) || y != -2 * (N - 4) + 5 * N * (N - 1) / 2;
  for (i = 0; i < N; i++) plain[i] = i;
#pragma xmp reduction(+:plain)
  if (plain[3] != 3 * xmp_num_nodes()) bad = 1;
#pragma xmp task on p[0]
  printf(bad ? "ERROR %d %d\n" : "PASS\n", x, y);
  return bad;
}
