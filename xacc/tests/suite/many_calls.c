// ranks: 2 4
// Called ten thousand times: nodes and templates of a function, its own arrays with halos, parameters; memory does not grow.
#include "stdio.h"
#include <stdlib.h>
#include <sys/resource.h>
#pragma xmp nodes all[*]
long xacc_communicators(void);
void multiply(float a[100], float b[100], float c[100]){
#pragma xmp nodes p(*)
#pragma xmp static_desc p
#pragma xmp template t(0:99)
#pragma xmp distribute t(block) onto p
#pragma xmp static_desc t
#pragma xmp align [i] with t(i) :: a, b, c
#pragma xmp static_desc :: a, b, c
#pragma xmp loop on t(i)
  for (int i = 0; i < 100; i++){
    a[i] = a[i] + b[i] * c[i];
  }
}
typedef struct { double v[2][3]; } spinor;
static double halo(int f)
{
  static const int N = 6;
  spinor s[6][6];
  double sum = 0;
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
#pragma xmp align s[i][*] with t(i)
#pragma xmp shadow s[1][0]
#pragma xmp loop on t(i)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) s[i][j].v[1][2] += f + i;
#pragma xmp reflect (s) width(/periodic/1:1,0)
#pragma xmp loop on t(i) reduction(+:sum)
  for (int i = 0; i < 6; i++) sum += s[i - 1][5].v[1][2] - s[i + 1][0].v[1][2] + s[i][3].v[1][2];
  return sum;
}
static long kilobytes(void)
{
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_maxrss;
}
int main(void){
#pragma xmp nodes p(*)
#pragma xmp template t(0:99)
#pragma xmp distribute t(block) onto p
  float a[100], b[100], c[100];
#pragma xmp align [i] with t(i) :: a, b, c
  int bad = 0;
  long first = 0, made = 0;
#pragma xmp loop on t(i)
  for (int i = 0; i < 100; i++) a[i] = 0, b[i] = i % 3, c[i] = 2;
  for (int i = 0; i < 10000; i++){
    multiply(a, b, c);
    if (i % 5 == 0 && halo(i) != 6.0 * i + 15) bad = 1;
    if (i == 200) first = kilobytes(), made = xacc_communicators();
  }
  if (kilobytes() > first + 8192) bad = 2;
  if (xacc_communicators() != made) bad = 3;
#pragma xmp loop on t(i) reduction(max:bad)
  for (int i = 0; i < 100; i++)
    if (a[i] != 20000.0f * (i % 3)) bad = 4;
#pragma xmp task on p(1) nocomm
  {
    printf(bad ? "ERROR %d\n" : "PASS\n", bad);
  }
  return 0;
}
