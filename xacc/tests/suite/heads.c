// ranks: 2 4
// The mapping of parameters between the head of the function and its body, where the specification allows it.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 20
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N], b[N];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i] with t[i]
#pragma xmp shadow a[1]
void smooth(double x[N], double y[N])
#pragma xmp align x[i] with t[i]
#pragma xmp shadow x[1]
#pragma xmp align y[i] with t[i]
{
  int i;
#pragma xmp reflect (x)
#pragma xmp loop on t[i]
  for (i = 1; i < N - 1; i++) y[i] = x[i-1] + x[i+1];
}
static double total(const double *x)
#pragma xmp align [i] with t[i] :: x
{
  double s = 0;
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < N; i++) s += x[i];
  return s;
}
int main(int argc, char **argv)
{
  int i, bad = 0;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) { a[i] = i; b[i] = 0; }
  smooth(a, b);
  if (total(a) != 190 || total(b) != 2 * (190 - 19)) bad = 1;
#pragma xmp task on p[0]
  { printf(bad ? "ERROR\n" : "PASS\n"); }
  return bad;
}
