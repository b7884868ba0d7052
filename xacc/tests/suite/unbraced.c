// ranks: 2 3
// Loop directives in loops without braces, variable extents at file scope, return out of a task, extern in a function.
#include <stdio.h>
int n = 50;
double a[n][n];
#pragma xmp nodes p(*)
#pragma xmp template t(0:n-1)
#pragma xmp distribute t(block) onto p
#pragma xmp align a[*][j] with t(j)
int fixed[50];
#pragma xmp align fixed[i] with t(i)
static double total(void) {
  double s = 0.0;
  for (int i = 0; i < n; i++)
#pragma xmp loop (j) on t(j)
    for (int j = 0; j < n; j++) s += a[i][j];
#pragma xmp reduction(+:s)
  return s;
}
int main() {
  for (int i = 0; i < n; i++)
#pragma xmp loop on t(j)
    for (int j = 0; j < n; j++)
      a[i][j] = i + j;
  if (n > 3)
#pragma xmp loop on t(j)
    for (int j = 0; j < n; ++j) fixed[j] = 1;
  else
#pragma xmp loop on t(j)
    for (int j = 0; j < n; ++j) fixed[j] = 2;
  int count = 0;
#pragma xmp loop on t(j) reduction(+:count)
  for (int j = 0; j < n; j++)
    if (fixed[j] == 1)
      count++;
  double s = total();
#pragma xmp task on p(1)
  {
    if (s != 50.0 * 50 * 49 || count != 50) {
      printf("ERROR %g %d\n", s, count);
      return 1;
    }
    printf("PASS\n");
  }
  return 0;
}
