// Loops over cyclic dimensions: by blocks, and as one header where OpenMP or a break need that.
// ranks: 1 2 4
// flags: -fopenmp
#include <stdio.h>
#include <xmp.h>
#define N 23
#define M 9
int a[N][M], b[N];
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[cyclic(3)][*] onto p
#pragma xmp template u[N]
#pragma xmp distribute u[cyclic] onto p
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i] with u[i]

int main(void) {
  int bad = 0, count = 0, i, j;
#pragma xmp loop (i, j) on t[i][j]
  for (i = N - 1; i >= 0; i--)
    for (j = 0; j < M; j++) a[i][j] = 100 * i + j;
#pragma xmp loop (i) on t[i][*] reduction(+ : count, bad)
  for (i = 0; i < N; i++) {
    if (i % 5 == 0) continue;
    for (int k = i; k < N; k += 7) {
      if (k > i + 7) break;
      count++;
    }
    if (a[i][i % M] != 100 * i + i % M) bad++;
  }
  int wanted = 0;
  for (i = 0; i < N; i++)
    if (i % 5) wanted += i + 7 < N ? 2 : 1;
  if (count != wanted) bad++, printf("ERROR count %d of %d\n", count, wanted);
#pragma omp parallel for
#pragma xmp loop on u[i]
  for (i = 0; i < N; i++) b[i] = i;
  int sum = 0;
#pragma xmp loop on u[i] reduction(+ : sum)
#pragma omp parallel for reduction(+ : sum)
  for (i = 0; i < N; i++) sum += b[i];
  if (sum != N * (N - 1) / 2) bad++, printf("ERROR sum %d\n", sum);
  int before = 0, mine = 0, me = xmpc_node_num(), all = xmp_num_nodes();
#pragma xmp loop on u[i]
  for (i = 0; i < N; i++) {
    if (i == 5) break;
    before++;
  }
  for (i = 0; i < N; i++) {
    if (i == 5 && 5 % all == me) break;
    if (i % all == me) mine++;
  }
  if (before != mine) bad++, printf("ERROR before %d of %d\n", before, mine);
#pragma xmp reduction(+ : bad)
  if (!bad) printf("PASS\n");
  return bad != 0;
}
