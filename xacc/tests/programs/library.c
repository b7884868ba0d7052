// The library procedures between mappings of any two kinds, against plain loops. Equal with --serial.
// ranks: 1 2 3 4
// flags: -Wno-unknown-pragmas
// unproved: the library writes the arrays
#include <complex.h>
#include <stdio.h>
#include <xmp.h>
#define N 11
#define M 7
#define K 5
#pragma xmp nodes p[*]
#pragma xmp nodes q[1][*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
#pragma xmp template u[M][N]
#pragma xmp distribute u[cyclic(2)][*] onto p
#pragma xmp template w[N + 3][M]
#pragma xmp distribute w[block][cyclic] onto q
#pragma xmp template l[N * M + 1]
#pragma xmp distribute l[cyclic(3)] onto p
#pragma xmp template b[N * M]
#pragma xmp distribute b[block] onto p
double a[N][M], turned[M][N], back[N][M];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align turned[i][j] with u[i][j]
#pragma xmp align back[i][j] with w[i + 2][j]
int left[N][K], right[K][M], product[N][M], mask[N][M], row[N][M], column[N][M];
#pragma xmp align left[i][*] with t[i][*]
#pragma xmp align right[*][j] with w[0][j]
#pragma xmp align product[i][j] with w[i + 2][j]
#pragma xmp align mask[i][j] with w[i + 2][j]
#pragma xmp align row[i][j] with w[i + 1][j]
#pragma xmp align column[i][j] with t[i][j]
double _Complex z[N][M], zl[N][M], zr[M][M];
#pragma xmp align z[i][j] with t[i][j]
#pragma xmp align zl[i][j] with w[i][j]
#pragma xmp align zr[i][j] with u[i][j]
double packed[N * M + 1];
#pragma xmp align packed[i] with l[i]
float line[N * M], sorted[N * M];
#pragma xmp align line[i] with b[i]
#pragma xmp align sorted[i] with l[i + 1]
#pragma xmp shadow line[1]
short copies[N], ordered[N]; /* copies: each node of a row has all */
#pragma xmp align copies[i] with w[i][*]
#pragma xmp align ordered[i] with t[i][*]
int bad;

static double value(int i, int j) { return 1000 * i + j; }
static int chosen(int i, int j) { return (3 * i + j) % 4 == 1; }

static void check(const char *what, double have, double want) {
  if (have != want && bad++ < 5) printf("ERROR %s: %g, not %g\n", what, have, want);
}

static void fill(void) {
#pragma xmp loop (i, j) on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) a[i][j] = value(i, j), column[i][j] = (j + 2 * i) % M;
#pragma xmp loop (i, j) on w[i + 2][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) mask[i][j] = chosen(i, j) ? -3 : 0;
#pragma xmp loop (i, j) on w[i + 1][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) row[i][j] = (i + 4 * j) % N;
#pragma xmp loop on t[i][*]
  for (int i = 0; i < N; i++)
    for (int k = 0; k < K; k++) left[i][k] = i - 2 * k;
#pragma xmp loop on w[0][j]
  for (int j = 0; j < M; j++)
    for (int k = 0; k < K; k++) right[k][j] = 3 * j + k * k;
#pragma xmp loop (i, j) on w[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) zl[i][j] = i + j * I;
#pragma xmp loop on u[i][*]
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) zr[i][j] = 2 * i - j * I;
#pragma xmp loop on b[i]
  for (int i = 0; i < N * M; i++) line[i] = (float)(i * 29 % 31) - 10;
}

static void products(void) {
  xmp_transpose(xmp_desc_of(turned), xmp_desc_of(a), 0);
  xmp_transpose(xmp_desc_of(back), xmp_desc_of(turned), 1);
  xmp_matmul(xmp_desc_of(product), xmp_desc_of(left), xmp_desc_of(right));
  xmp_matmul(xmp_desc_of(z), xmp_desc_of(zl), xmp_desc_of(zr));
#pragma xmp loop on u[i][*]
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) check("transpose", turned[i][j], value(j, i));
#pragma xmp loop (i, j) on w[i + 2][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      int want = 0;
      for (int k = 0; k < K; k++) want += (i - 2 * k) * (3 * j + k * k);
      check("transpose of a transpose", back[i][j], value(i, j));
      check("matmul", product[i][j], want);
    }
#pragma xmp loop (i, j) on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      double _Complex want = 0;
      for (int k = 0; k < M; k++) want += (i + k * I) * (2 * k - j * I);
      check("real part of matmul", creal(z[i][j]), creal(want));
      check("imaginary part of matmul", cimag(z[i][j]), cimag(want));
    }
}

static void picks(void) {
  int n = 0, places[N][M];
  double want[N * M + 1] = {0};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      places[i][j] = n;
      if (chosen(i, j)) want[n++] = value(i, j);
    }
  xmp_gather(xmp_desc_of(back), xmp_desc_of(a), xmp_desc_of(row), xmp_desc_of(column));
#pragma xmp loop (i, j) on w[i + 2][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) check("gather", back[i][j], value((i + 4 * j) % N, (j + 2 * i) % M));
#pragma xmp loop (i, j) on w[i + 1][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) row[i][j] = N - 1 - i;
#pragma xmp loop (i, j) on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) column[i][j] = (j + i) % M;
  xmp_scatter(xmp_desc_of(back), xmp_desc_of(a), xmp_desc_of(row), xmp_desc_of(column));
#pragma xmp loop (i, j) on w[i + 2][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) check("scatter", back[i][j], value(N - 1 - i, ((j - (N - 1 - i)) % M + M) % M));
  xmp_pack(xmp_desc_of(packed), xmp_desc_of(a), xmp_desc_of(mask));
#pragma xmp loop on l[i]
  for (int i = 0; i < N * M + 1; i++) check("pack", packed[i], want[i]);
#pragma xmp loop on l[i]
  for (int i = 0; i < N * M + 1; i++) packed[i] = -i;
#pragma xmp loop (i, j) on w[i + 2][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) back[i][j] = 5;
  xmp_unpack(xmp_desc_of(back), xmp_desc_of(packed), xmp_desc_of(mask));
#pragma xmp loop (i, j) on w[i + 2][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) check("unpack", back[i][j], chosen(i, j) ? -places[i][j] : 5);
  xmp_pack_nomask(xmp_desc_of(packed), xmp_desc_of(back));
#pragma xmp loop on l[i]
  for (int i = 0; i < N * M; i++) check("pack without mask", packed[i], chosen(i / M, i % M) ? -places[i / M][i % M] : 5);
}

static void sorts(void) {
  int count[31] = {0}, at = 0;
  float want[N * M];
  for (int i = 0; i < N * M; i++) count[i * 29 % 31]++;
  for (int v = 0; v < 31; v++)
    while (count[v]-- > 0) want[at++] = (float)v - 10;
  xmp_sort_up(xmp_desc_of(line), xmp_desc_of(sorted));
#pragma xmp loop on l[i + 1]
  for (int i = 0; i < N * M; i++) check("sort_up", sorted[i], want[i]);
#pragma xmp loop on w[i][*]
  for (int i = 0; i < N; i++) copies[i] = (short)(7 * i % N);
  xmp_sort_down(xmp_desc_of(copies), xmp_desc_of(ordered));
#pragma xmp loop on t[i][*]
  for (int i = 0; i < N; i++) check("sort of a replicated array", ordered[i], N - 1 - i);
  xmp_sort_down(xmp_desc_of(line), xmp_desc_of(line));
#pragma xmp reflect (line)
#pragma xmp loop on b[i]
  for (int i = 1; i < N * M - 1; i++) {
    check("sort_down", line[i], want[N * M - 1 - i]);
    check("the halo after sort_down", line[i - 1] + line[i + 1], want[N * M - i] + want[N * M - 2 - i]);
  }
}

int main(void) {
  fill();
  products();
  picks();
  sorts();
#pragma xmp reduction (+:bad)
  if (xmpc_node_num() == 0 && bad == 0) printf("PASS\n");
  return bad != 0;
}
