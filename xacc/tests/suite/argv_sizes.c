// ranks: 3 4
// Extents known when the program runs: from the command line, of local and of file-scope arrays.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
static int n = 30;
#pragma xmp nodes p(*)
#pragma xmp template g(0:n-1)
#pragma xmp distribute g(block) onto p
double f[n];
#pragma xmp align f[i] with g(i)
#pragma xmp shadow f[1:0]
int main(int argc, char *argv[]) {
  int rows = argc > 1 ? atoi(argv[1]) : 17, cols = argc > 2 ? atoi(argv[2]) : 9, i, j;
  double s = 0;
#pragma xmp template t(0:cols-1,0:rows-1)
#pragma xmp distribute t(*,block) onto p
  double a[rows][cols], b[rows][cols];
#pragma xmp align a[j][i] with t(i,j)
#pragma xmp align b[j][i] with t(i,j)
#pragma xmp shadow a[1:1][0]
#pragma xmp loop (j) on t(*,j)
  for (j = 0; j < rows; j++)
    for (i = 0; i < cols; i++) a[j][i] = j * cols + i;
#pragma xmp reflect (a) async(1)
#pragma xmp wait_async (1)
#pragma xmp loop (j) on t(*,j)
  for (j = 1; j < rows - 1; j++)
    for (i = 0; i < cols; i++) b[j][i] = a[j - 1][i] + a[j + 1][i];
#pragma xmp loop (j,i) on t(i,j) reduction(+:s)
  for (j = 1; j < rows - 1; j++)
    for (i = 0; i < cols; i++) s += b[j][i];
  double want = 0;
  for (j = 1; j < rows - 1; j++)
    for (i = 0; i < cols; i++) want += 2 * (j * cols + i);
  int bad = s != want;
#pragma xmp loop (i) on g(i)
  for (i = 0; i < n; i++) f[i] = i;
#pragma xmp reflect (f)
  s = 0;
#pragma xmp loop (i) on g(i) reduction(+:s)
  for (i = 1; i < n; i++) s += f[i] - f[i - 1];
  if (s != n - 1) bad = 2;
#pragma xmp task on p(1)
  { printf(bad ? "ERROR %g %g\n" : "PASS\n", s, want); }
  return bad;
}
