// ranks: 2 4
// Block scope, shadowed names, static local arrays, recursion, macros in directives, continued lines, upper case.
#include <stdio.h>
#include "scopes.h"
int a[N];
#pragma xmp nodes p(NODES)
#pragma xmp template t(T)
#pragma xmp distribute t(block) onto p
#pragma xmp align a[i] with t(i)
int square(int a) { return a * a; }
static int call(int depth) {
  static int kept[N];
#pragma xmp align kept[i] with t(i)
  int now[N], s = 0;
#pragma xmp align now[i] \
            with t(i)   /* continued */
#pragma xmp LOOP (i) ON t(i) \
  REDUCTION(+:s)
  for (int i = 0; i < N; i++) {
    kept[i]++;
    now[i] = depth;
    s += kept[i] * 1000 + now[i];
  }
  if (depth > 0) s += call(depth - 1);
  {
    int now = 3, a = 4;
    s += now * 0 + a * 0;
  }
  return s;
}
static int own(void) {
#pragma xmp nodes p[*]
#pragma xmp template t[3][5]
#pragma xmp distribute t[*][block] onto p
  int b[3][5], s = 0;
#pragma xmp align b[i][j] with t[i][j]
  for (int i = 0; i < 3; i++) {
#pragma xmp loop on t[*][j]
    for (int j = 0; j < 5; j++) b[i][j] = 10 * i + j;
  }
#pragma xmp loop on t[i][j] reduction(+:s)
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; ++j) s += b[i][j];
  return s;
}
int main() {
  char text[] = "#pragma xmp is '//' no \"comment\" /* here */";
  int bad = 0, s = 0;
#pragma xmp loop on t(i)
  for (int i = 0; i < N; i += 1) a[i] = i;
  if (call(2) != N * (1000 + 2 + 2000 + 1 + 3000)) bad = 1;
  if (own() != 10 * 5 * 3 + 3 * 10) bad = 2;
#pragma xmp loop on t(i) reduction(+:s)
  for (int i = 0; i != N; i++) s += a[i];
  {
    int a = square(2);
    if (a != 4 || text[0] != '#') bad = 3;
  }
  if (s != N * (N - 1) / 2) bad = 4;
#if 0
#pragma xmp nonsense
#endif
#pragma xmp reduction(max:bad)
#pragma xmp task on p(1)
  printf("%s %d\n", bad ? "ERROR" : "PASS", bad);
  return bad;
}
