// ranks: 2 4
// Red and black points: loops of step 2 whose start depends on the outer distributed loop, in place, one colour after the other.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 21
#pragma xmp nodes p(2,*)
#pragma xmp template t(0:N,0:N)
#pragma xmp distribute t(block,block) onto p
double u[N+1][N+1], s[N+1][N+1];
#pragma xmp align u[i][j] with t(j,i)
#pragma xmp shadow u[1][1]
int main(void)
{
  int i, j, colour, sweep;
  double change = 0, want = 0, worst = 0;
#pragma xmp loop (i,j) on t(j,i)
  for (i = 0; i <= N; i++)
    for (j = 0; j <= N; j++) u[i][j] = i == 0 ? 1.0 + j : j == N ? i * 0.5 : 0.0;
  for (i = 0; i <= N; i++)
    for (j = 0; j <= N; j++) s[i][j] = i == 0 ? 1.0 + j : j == N ? i * 0.5 : 0.0;
  for (sweep = 0; sweep < 12; sweep++) {
    change = want = 0.0;
    for (colour = 0; colour < 2; colour++) {
#pragma xmp reflect (u) width(1,1) orthogonal
#pragma xmp loop (i,j) on t(j,i) reduction(max:change)
      for (i = 1; i < N; i++)
	for (j = 1 + (i + colour) % 2; j < N; j += 2) {
	  double d = 1.4 * (0.25 * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]) - u[i][j]);
	  u[i][j] += d;
	  if (fabs(d) > change) change = fabs(d);
	}
      for (i = 1; i < N; i++)
	for (j = 1 + (i + colour) % 2; j < N; j += 2) {
	  double d = 1.4 * (0.25 * (s[i-1][j] + s[i+1][j] + s[i][j-1] + s[i][j+1]) - s[i][j]);
	  s[i][j] += d;
	  if (fabs(d) > want) want = fabs(d);
	}
    }
  }
#pragma xmp loop (i,j) on t(j,i) reduction(max:worst)
  for (i = 0; i <= N; i++)
    for (j = 0; j <= N; j++) worst = fmax(worst, fabs(u[i][j] - s[i][j]));
#pragma xmp task on p(1,1)
  {
    if (worst == 0.0 && change == want) printf("PASS\n");
    else printf("ERROR %g %g %g\n", worst, change, want);
  }
  return worst != 0.0 || change != want;
}
