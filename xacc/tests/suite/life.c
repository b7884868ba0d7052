// ranks: 4 6
// The game of life on a torus: characters, two arrays in turn through a function, a pattern read from text, void main.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define H 17
#define W 14
#pragma xmp nodes p[*][2]
#pragma xmp template t[H][W]
#pragma xmp distribute t[block][block] onto p
unsigned char one[H][W], two[H][W];
#pragma xmp align [i][j] with t[i][j] :: one, two
#pragma xmp shadow [1][1] :: one, two
static const char *const pattern[] = {".#..", "..#.", "###.", NULL};
static char plain[2][H][W];
static void generation(unsigned char to[H][W], unsigned char from[H][W])
{
#pragma xmp align [i][j] with t[i][j] :: to, from
#pragma xmp shadow [1][1] :: to, from
  short i, j, di, dj;
#pragma xmp reflect (from) width(/periodic/1,/periodic/1)
#pragma xmp loop (i,j) on t[i][j]
  for (i = 0; i < H; i++)
    for (j = 0; j < W; j++) {
      int n = -from[i][j];
      for (di = -1; di <= 1; di++)
	for (dj = -1; dj <= 1; dj++) n += from[i + di][j + dj];
      to[i][j] = n == 3 || (n == 2 && from[i][j]);
    }
}
void main()
{
  int alive = 0, wrong = 0, now = 0;
#pragma xmp loop (i,j) on t[i][j]
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) one[i][j] = i < 3 && (size_t)j < strlen(pattern[0]) && pattern[i][j] == '#';
  for (int i = 0; pattern[i]; i++)
    for (int j = 0; pattern[i][j]; j++) plain[0][i][j] = pattern[i][j] == '#';
  for (int step = 0; step < 60; step++, now = 1 - now) {
    if (now == 0) generation(two, one); else generation(one, two);
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) {
	int n = -plain[now][i][j];
	for (int d = 0; d < 9; d++) n += plain[now][(i + d / 3 - 1 + H) % H][(j + d % 3 - 1 + W) % W];
	plain[1 - now][i][j] = n == 3 || (n == 2 && plain[now][i][j]);
      }
  }
#pragma xmp loop (i,j) on t[i][j] reduction(+:alive,wrong)
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      alive += one[i][j];
      wrong += one[i][j] != plain[0][i][j];
    }
#pragma xmp task on p[0][0]
  { printf(alive == 5 && !wrong ? "PASS\n" : "ERROR %d %d\n", alive, wrong); }
  exit(alive != 5 || wrong);
}
