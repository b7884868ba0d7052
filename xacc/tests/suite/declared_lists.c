// ranks: 4
// Several nodes and templates in one directive.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 16
#pragma xmp nodes p(4), q(2,2), r(2)=p(3:4)
#pragma xmp template t(0:N-1), u(0:N-1,N), v(1:N)
#pragma xmp distribute t(block) onto p
#pragma xmp distribute u(block,cyclic) onto q
#pragma xmp distribute v(cyclic(3)) onto r
int a[N], b[N][N], c[N], result = 0;
#pragma xmp align a[i] with t(i)
#pragma xmp align b[j][i] with u(i,j+1)
#pragma xmp align c[i] with v(i+1)
int main(void) {
  int i, j, s = 0, n, me = xmp_node_num();
#pragma xmp nodes x[2][2], y[4]
#pragma xmp template z[N][4], zz[N]
#pragma xmp distribute z[block][*] onto y
#pragma xmp distribute zz[block] onto y
  int d[N][4];
#pragma xmp align d[i][j] with z[i][j]
#pragma xmp loop on t(i)
  for (i = 0; i < N; i++) a[i] = i;
#pragma xmp loop (i,j) on u(i,j+1)
  for (j = 0; j < N; j++)
    for (i = 0; i < N; i++) b[j][i] = i + j;
#pragma xmp loop (i) on v(i+1)
  for (i = 0; i < N; i++) c[i] = 2 * i;
#pragma xmp loop on z[i][*]
  for (i = 0; i < N; i++) for (j = 0; j < 4; j++) d[i][j] = j;
#pragma xmp loop on t(i) reduction(+:s)
  for (i = 0; i < N; i++) s += a[i];
  if (s != 120) result = 1;
  s = 0;
#pragma xmp loop (i,j) on u(i,j+1) reduction(+:s)
  for (j = 0; j < N; j++)
    for (i = 0; i < N; i++) s += b[j][i];
  if (s != 2 * 120 * N) result = 2;
  s = 0;
#pragma xmp task on r
  {
#pragma xmp loop (i) on v(i+1) reduction(+:s)
    for (i = 0; i < N; i++) s += c[i];
  }
  if (s != (me > 2 ? 240 : 0)) result = 3;
  s = 0;
#pragma xmp loop on z[i][*] reduction(+:s)
  for (i = 0; i < N; i++) for (j = 0; j < 4; j++) s += d[i][j];
  if (s != 6 * N) result = 4;
  xmp_nodes_size(xmp_desc_of(q), 2, &n);
  if (n != 2) result = 5;
  s = me;
#pragma xmp bcast(s) from x[1][0]
  if (s != 3) result = 6;
#pragma xmp reduction(max:result)
#pragma xmp task on p(1)
  {
    if (result == 0) printf("PASS\n");
    else { fprintf(stderr, "ERROR %d\n", result); exit(1); }
  }
  return 0;
}
