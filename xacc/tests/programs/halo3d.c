// ranks: 1 2 4 8
// Corners, periodic in some dimensions, orthogonal, one-sided widths, wide halos over short blocks, structs.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
typedef struct {
  double v[2][3];
  int tag;
} Cell;
#define NZ 8
#define NY 9
#define NX 4
#pragma xmp nodes p(*,*)
#pragma xmp template t(0:NY-1,0:NZ-1)
#pragma xmp distribute t(block,block) onto p
Cell c[2][NZ][NY][NX];
#pragma xmp align c[*][k][j][*] with t(j,k)
#pragma xmp shadow c[0][2][2][0]
static int value(int h, int k, int j, int i) {
  return ((h * NZ + (k + NZ) % NZ) * NY + (j + NY) % NY) * NX + i;
}
static int wrong(int dk, int dj, int periodic) {
  int bad = 0;
#pragma xmp loop (j,k) on t(j,k) reduction(+:bad)
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++) {
      if (!periodic && (k + dk < 0 || k + dk >= NZ || j + dj < 0 || j + dj >= NY)) continue;
      for (int h = 0; h < 2; h++)
        for (int i = 0; i < NX; i++)
          if (c[h][k + dk][j + dj][i].tag != value(h, k + dk, j + dj, i) || c[h][k + dk][j + dj][i].v[1][2] != i) bad++;
    }
  return bad;
}
static void fill(void) {
#pragma xmp loop (j,k) on t(j,k) expand(/unbound/2,/unbound/2)
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++)
      for (int h = 0; h < 2; h++)
        for (int i = 0; i < NX; i++) c[h][k][j][i].tag = -1;
#pragma xmp loop (j,k) on t(j,k)
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++)
      for (int h = 0; h < 2; h++)
        for (int i = 0; i < NX; i++) {
          c[h][k][j][i].tag = value(h, k, j, i);
          c[h][k][j][i].v[1][2] = i;
        }
}
int main(void) {
  int bad = 0;
  fill();
#pragma xmp reflect (c)
  for (int dk = -2; dk <= 2; dk++)
    for (int dj = -2; dj <= 2; dj++) bad += wrong(dk, dj, 0);
  fill();
#pragma xmp reflect (c) width(0,/periodic/2,/periodic/2,0)
  for (int dk = -2; dk <= 2; dk++)
    for (int dj = -2; dj <= 2; dj++) bad += wrong(dk, dj, 1);
  fill();
#pragma xmp reflect (c) width(0,/periodic/1:0,/periodic/0:2,0) orthogonal
  bad += wrong(-1, 0, 1) + wrong(0, 1, 1) + wrong(0, 2, 1);
#pragma xmp reflect_init (c) width(0,/periodic/1,/periodic/1,0) orthogonal
  for (int n = 0; n < 3; n++) {
    fill();
#pragma xmp reflect_do (c) nowait
    bad += wrong(-1, 0, 1) + wrong(0, 1, 1) + wrong(1, 0, 1) + wrong(0, -1, 1);
    fill();
#pragma xmp reflect_do (c)
    bad += wrong(-1, 0, 1) + wrong(0, 1, 1) + wrong(1, 0, 1) + wrong(0, -1, 1);
  }
  fill();
#pragma xmp reflect (c) width(0,/periodic/1,/periodic/1,0) async(7)
#pragma xmp wait_async (7)
  bad += wrong(-1, -1, 1) + wrong(1, 1, 1) + wrong(1, -1, 1);
#pragma xmp task on p(1,1)
  { printf("%s %d\n", bad ? "ERROR" : "PASS", bad); }
  return bad != 0;
}
