// ranks: 4 8
// Halos of unequal widths by part: three reflects of one dimension each bring the corners, as one reflect of all does; expand and margin.
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
#define NX 8
#define NY 12
#define NZ 10
#pragma xmp nodes p[2][2][*]
#pragma xmp template t[NX][NY][NZ]
#pragma xmp distribute t[block][block][block] onto p
int a[NX][NY][NZ], b[NX][NY][NZ], c[NX][NY][NZ];
#pragma xmp align a[i][j][k] with t[i][j][k]
#pragma xmp align b[i][j][k] with t[i][j][k]
#pragma xmp align c[i][j][k] with t[i][j][k]
#pragma xmp shadow a[2:1][0:3][1]
#pragma xmp shadow b[2:1][0:3][1]
#pragma xmp shadow c[1][1][1]
#define V(i, j, k) (((i) + NX) % NX * 10000 + ((j) + NY) % NY * 100 + ((k) + NZ) % NZ)
int result = 0;
int main(void){
#pragma xmp loop on t[i][j][k]
  for (int i = 0; i < NX; i++){
    for (int j = 0; j < NY; j++){
      for (int k = 0; k < NZ; k++){
	a[i][j][k] = V(i, j, k);
	b[i][j][k] = V(i, j, k);
	c[i][j][k] = 0;
      }
    }
  }
#pragma xmp reflect (a) width(/periodic/2:1, 0, 0)
#pragma xmp reflect (a) width(0, /periodic/0:3, 0)
#pragma xmp reflect (a) width(0, 0, /periodic/1:1)
#pragma xmp reflect (b) width(/periodic/2:1, /periodic/0:3, /periodic/1) async(7)
#pragma xmp wait_async(7)
#pragma xmp loop on t[i][j][k] reduction(+:result)
  for (int i = 0; i < NX; i++)
    for (int j = 0; j < NY; j++)
      for (int k = 0; k < NZ; k++)
        for (int ii = -2; ii <= 1; ii++)
          for (int jj = 0; jj <= 3; jj++)
            for (int kk = -1; kk <= 1; kk++)
              if (a[i+ii][j+jj][k+kk] != V(i + ii, j + jj, k + kk) || b[i+ii][j+jj][k+kk] != a[i+ii][j+jj][k+kk]) result++;
#pragma xmp loop (i,j,k) on t[i][j][k] expand(-1,-1,-1)
  for (int i = 0; i < NX; i++)
    for (int j = 0; j < NY; j++)
      for (int k = 0; k < NZ; k++) c[i][j][k] += 1;
#pragma xmp loop (i,j,k) on t[i][j][k] margin(-1,-1,-1)
  for (int i = 0; i < NX; i++)
    for (int j = 0; j < NY; j++)
      for (int k = 0; k < NZ; k++) c[i][j][k] += 1;
#pragma xmp loop (i,j,k) on t[i][j][k] reduction(+:result)
  for (int i = 0; i < NX; i++)
    for (int j = 0; j < NY; j++)
      for (int k = 0; k < NZ; k++) result += c[i][j][k] != 1;
#pragma xmp task on p[0][0][0]
  {
    if (result == 0){
      printf("PASS\n");
    }
    else{
      fprintf(stderr, "ERROR %d\n", result);
      exit(1);
    }
  }
  return 0;
}
