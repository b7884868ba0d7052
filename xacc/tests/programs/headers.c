// ranks: 2 3
// Directives in a header, extern arrays, another file of the same program.
// with: headers_more.c
#include <stdio.h>
#include <stdlib.h>
#include "headers_map.h"
double grid[N][M];
int main(int argc, char **argv) {
  int bad = 0;
#pragma xmp loop (i, j) on t[i][j]
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) grid[i][j] = i + j;
  if (more(grid) != N * M * (N + M - 2) / 2) bad = 1;
  twice();
  if (more(grid) != N * M * (N + M - 2)) bad = 2;
#pragma xmp task on p[0]
  { printf("%s %d\n", bad ? "ERROR" : "PASS", bad); }
  return bad;
}
