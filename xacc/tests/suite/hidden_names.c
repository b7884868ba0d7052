// ranks: 2 3
// Names of distributed arrays that mean something else: parameters, locals, members, labels, types of inner blocks.
#include <stdio.h>
#define N 100
int a[N];
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
struct box { int a, *t; };
int square(int a)
{
  return a * a;
}
int first(int *a) { return a[0] + *a; }
void mult(int b[N], int factor)
{
#pragma xmp align b[i] with t[i]
  int i;
#pragma xmp loop on t[i]
  for(i=0;i<N;i++){
    b[i] *= factor;
  }
  {
    int b = 3, t[2] = {b, 4};
    b *= t[1];
  }
}
int inner()
{
  int i;
  int c[N];
#pragma xmp align c[i] with t[i]
#pragma xmp loop on t[i]
  for(i=0;i<N;i++) c[i] = 0;
  {
    int c = 4;
    c *= 2;
    return c;
  }
}
int main()
{
  int i, v, x[2] = {5, 6}, bad = 0;
  struct box box = {.a = 7, .t = x};
#pragma xmp loop on t[i]
  for(i=0;i<N;i++){
    a[i] = i;
  }
  mult(a, 3);
  long long sum = 0;
#pragma xmp loop on t[i] reduction(+:sum)
  for(i=0;i<N;i++){
    sum += a[i];
  }
  {
    int a;
    a = square(2);
    v = a * a;
    for (int a = 0; a < 3; a++) v += a;
    goto t;
  }
t:
  {
    typedef struct { int a[3]; } a;
    a b = {{1, 2, 3}};
    v += b.a[2] + first(b.a) + first((int[]){8}) + sizeof(b.a) / sizeof(int);
  }
  for (int p = 0; p < 2; p++) v += box.t[p] + box.a;
  if (v != 16 + 3 + 3 + 2 + 16 + 3 + 11 + 14 || inner() != 8) bad = 1;
  if (sum != N*(N-1)/2*3) bad = 2;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0]
  {
    if(bad){
      printf("ERROR %d %d\n", bad, v);
      return 1;
    }
    printf("PASS\n");
  }
  return 0;
}
