#ifndef HEADERS_MAP_H
#define HEADERS_MAP_H
#define N 10
#define M 6
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
extern double grid[N][M];
#pragma xmp align grid[i][j] with t[i][j]
#pragma xmp shadow grid[1][0]
double more(double g[N][M]);
void twice(void);
#endif
