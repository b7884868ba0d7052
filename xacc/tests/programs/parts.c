// Templates distributed onto a part of nodes without a name, and local_alias.
// ranks: 4 6
// flags: -Wno-unknown-pragmas
// unproved: a pointer writes the array
#include <stdio.h>
#include <xmp.h>
#define N 10
#define M 6
#pragma xmp nodes p[2][*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p[1][:]
#pragma xmp template u[N]
#pragma xmp distribute u[cyclic] onto p[0:2][1]
#pragma xmp template v[N][M]
#pragma xmp distribute v[block][block] onto p[:][0:2]
int a[N], b[N], c[N][M];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp align b[i] with u[i]
#pragma xmp align c[i][j] with v[i][j]
#pragma xmp shadow c[1][0]
int bad;

static void check(int have, int want) {
  if (have != want && bad++ < 3) printf("ERROR %d, not %d\n", have, want);
}

int main(void) {
  int n[3] = {0, 0, 0}, all[N], *part;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) a[i] = i, n[0]++;
#pragma xmp loop on u[i]
  for (int i = 0; i < N; i++) b[i] = 2 * i, n[1]++;
#pragma xmp loop (i, j) on v[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) c[i][j] = 10 * i + j, n[2]++;
#pragma xmp reflect (a, c)
#pragma xmp gmove
  all[:] = a[:];
  for (int i = 0; i < N; i++) check(all[i], i);
#pragma xmp gmove
  all[:] = b[:];
  for (int i = 0; i < N; i++) check(all[i], 2 * i);
#pragma xmp gmove
  all[0:M] = c[7][:];
  for (int i = 0; i < M; i++) check(all[i], 70 + i);
#pragma xmp reduction (+:n)
  check(n[0], N);
  check(n[1], N);
  check(n[2], N * M);
#pragma xmp local_alias part => a
#pragma xmp task on p[1][:]
  {
    int first, last;
    xmp_array_lbound_global(xmp_desc_of(a), 1, &first);
    xmp_array_ubound_global(xmp_desc_of(a), 1, &last);
    for (int i = first; i <= last; i++) check(part[i - first + 1], i);
    if (first > 0) check(part[0], first - 1);
    part[1] = -7;
    check(a[first], -7);
  }
#pragma xmp task on v[0:5][0]
  {
    int rows, columns;
    xmp_array_lsize(xmp_desc_of(c), 1, &rows);
    xmp_array_lsize(xmp_desc_of(c), 2, &columns);
    int (*local)[columns];
#pragma xmp local_alias local => c
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) check(local[i + 1][j], 10 * i + j);
  }
#pragma xmp reduction (+:bad)
  if (xmpc_node_num() == 0 && bad == 0) printf("PASS\n");
  return bad != 0;
}
