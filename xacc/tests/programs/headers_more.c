#include "headers_map.h"
double more(double g[N][M]) {
#pragma xmp align g[i][j] with t[i][j]
#pragma xmp shadow g[1][0]
  double s = 0;
#pragma xmp reflect(g)
#pragma xmp loop on t[i][*] reduction(+:s)
  for (int i = 0; i < N; i++) {
    double *row = g[i];
    for (int j = 0; j < M; j++) s += row[j];
    if (i > 0 && g[i - 1][0] > g[i][0]) s += 1e6;
  }
  return s;
}
void twice(void) {
#pragma xmp loop (i, j) on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) grid[i][j] *= 2;
#pragma xmp reflect(grid)
}
