// ranks: 2 4
// expand, margin and peel_and_wait.
#include <stdio.h>
#include <stdlib.h>
#define N 8
int main() {
#pragma xmp nodes p(2,*)
#pragma xmp template t(0:N-1,0:N-1)
#pragma xmp distribute t(block,block) onto p
  int a[N][N], b[N][N], once[N][N];
#pragma xmp align a[i][j] with t(i,j)
#pragma xmp shadow a[1][1]
#pragma xmp align [i][j] with t(i,j) shadow [1][1] :: b, once
  int result = 0;
#pragma xmp loop (i,j) on t(i,j)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = once[i][j] = 1;
#pragma xmp reflect (a) width(/periodic/1,/periodic/1)
#pragma xmp loop (i,j) on t(i,j)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) b[i][j] = 1;
#pragma xmp loop on t(i,j) margin(/unbound/1,/unbound/1)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) b[i][j] = 1;
#pragma xmp loop on t(i,j) reduction(+:result) expand(/unbound/1,/unbound/1)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (a[i][j] != b[i][j]) result++;
#pragma xmp reflect (b) width(/periodic/1,/periodic/1) async(3)
#pragma xmp loop (i,j) on t(i,j) peel_and_wait(3, -1, -1)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) once[i][j]++;
#pragma xmp loop (i,j) on t(i,j) expand(-1,-1)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) once[i][j]++;
#pragma xmp loop (i,j) on t(i,j) margin(-1,-1)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) once[i][j]++;
#pragma xmp loop (i,j) on t(i,j) reduction(+:result)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (once[i][j] != 3) result++;
#pragma xmp task on p(1,1)
  {
    printf("%s %d\n", result ? "ERROR" : "PASS", result);
    if (result) exit(1);
  }
  return 0;
}
