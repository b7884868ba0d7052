// ranks: 1 2 3 4
// cyclic and cyclic(n), offsets, subscripts of every kind, in ( ) notation.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 29
#pragma xmp nodes p(*)
#pragma xmp template t(1:N+3)
#pragma xmp template u(0:N-1)
#pragma xmp distribute t(cyclic) onto p
#pragma xmp distribute u(CYCLIC(3)) onto p
int a[N], b[N], c[4][N];
#pragma xmp align a[i] with t(i+2)
#pragma xmp align b[i] with u(i)
#pragma xmp align c[*][i] with u(i)
#define TWICE(x) (2 * (x))

int main(void) {
  int i, j, sum = 5, prod = 0, count = 0;
#pragma xmp loop on t(i+2)
  for (i = 0; i < N; i++) a[i] = i;
#pragma xmp loop on u(i)
  for (i = 0; i < N; i++) {
    b[i] = TWICE(i);
    for (j = 0; j < 4; j++) c[j][i] = b[i] + j;
  }
#pragma xmp loop on t(i+2) reduction(+:sum)
  for (i = N - 1; i >= 0; i -= 3) sum += TWICE(a[i]);
#pragma xmp loop on u(i) reduction(+:prod, count)
  for (i = 1; i <= N - 2; i += 2) {
    int k = i;
    prod += b[k] + c[3][k];
    count++;
  }
  int want = 5, wantp = 0, wantc = 0;
  for (i = N - 1; i >= 0; i -= 3) want += 2 * i;
  for (i = 1; i <= N - 2; i += 2) wantp += 2 * i + 2 * i + 3, wantc++;
  int bad = sum != want || prod != wantp || count != wantc;
#pragma xmp task on t(5)
  if (a[3] != 3) bad = 1;
#pragma xmp reduction(max:bad)
#pragma xmp task on p(1)
  {
    if (bad) {
      printf("ERROR %d %d %d %d %d %d\n", sum, want, prod, wantp, count, wantc);
      exit(1);
    }
    printf("PASS\n");
  }
  return 0;
}
