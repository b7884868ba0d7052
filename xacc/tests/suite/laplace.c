// ranks: 4 8
// The Laplace solver of the tutorials: two dimensions, shadow, reflect, reduction max, node grid from the number of nodes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 64
#define max(a, b) (((a) > (b)) ? (a) : (b))
double u[N][N], uu[N][N];
#pragma xmp nodes p(*,2)
#pragma xmp template t(0:N-1,0:N-1)
#pragma xmp distribute t(block, block) onto p
#pragma xmp align u[j][i] with t(i,j)
#pragma xmp align uu[j][i] with t(i,j)
#pragma xmp shadow uu[1:1][1:1]
double plain[N][N], other[N][N];
int main(int argc, char **argv) {
  int x, y, k, bad = 0;
  double sum, err = 0.0, want = 0.0;
#pragma xmp loop (y,x) on t(y,x)
  for (x = 0; x < N; x++)
    for (y = 0; y < N; y++) u[x][y] = sin((double)x / N * 3) + cos((double)y / N * 3);
  for (x = 0; x < N; x++)
    for (y = 0; y < N; y++) plain[x][y] = sin((double)x / N * 3) + cos((double)y / N * 3);
  for (k = 0; k < 20; k++) {
#pragma xmp loop (y,x) on t(y,x)
    for (x = 1; x < N - 1; x++)
      for (y = 1; y < N - 1; y++) uu[x][y] = u[x][y];
#pragma xmp reflect (uu)
#pragma xmp loop (y,x) on t(y,x)
    for (x = 2; x < N - 2; x++)
      for (y = 2; y < N - 2; y++) u[x][y] = (uu[x - 1][y] + uu[x + 1][y] + uu[x][y - 1] + uu[x][y + 1]) / 4.0;
    for (x = 1; x < N - 1; x++)
      for (y = 1; y < N - 1; y++) other[x][y] = plain[x][y];
    for (x = 2; x < N - 2; x++)
      for (y = 2; y < N - 2; y++) plain[x][y] = (other[x - 1][y] + other[x + 1][y] + other[x][y - 1] + other[x][y + 1]) / 4.0;
  }
  sum = 0.0;
#pragma xmp loop (y,x) on t(y,x) reduction(+:sum) reduction(max:err)
  for (x = 1; x < N - 1; x++)
    for (y = 1; y < N - 1; y++) {
      sum += fabs(uu[x][y] - u[x][y]);
      err = max(err, fabs(u[x][y] - plain[x][y]));
    }
  for (x = 1; x < N - 1; x++)
    for (y = 1; y < N - 1; y++) want += fabs(other[x][y] - plain[x][y]);
  if (err != 0.0 || fabs(sum - want) > 1e-12 * want) bad = 1;
#pragma xmp task on p(1,1)
  if (bad)
    printf("ERROR %g %g %g\n", err, sum, want);
  else
    printf("PASS\n");
  return bad;
}
