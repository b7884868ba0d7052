// ranks: 1 2 3 4 8
// Templates that get their shape and blocks late, and arrays through pointers: reflect, parameters, array, gmove, blocks entered again.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 21
#pragma xmp nodes p[*]
#pragma xmp template t[:]
#pragma xmp distribute t[block] onto p
#pragma xmp template g(:,:)
#pragma xmp distribute g(gblock(*),*) onto p
double *a, *other;
int (*m)[5], sum;
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp align m[i][j] with g(j,i)
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d, i %d\n", __LINE__, i); } } while (0)
static void twice(double *x) {
#pragma xmp align x[i] with t[i]
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) x[i] *= 2;
}
static int cyclic(int n) {
#pragma xmp template u[:]
#pragma xmp distribute u[cyclic(3)] onto p
#pragma xmp template_fix[cyclic(2)] u[n]
  int *c, s = 0, d[n];
#pragma xmp align c[i] with u[i]
#pragma xmp align d[i] with u[i]
  c = xmp_malloc(xmp_desc_of(c), n);
#pragma xmp loop on u[i]
  for (int i = 0; i < n; i++) c[i] = d[i] = i;
#pragma xmp loop on u[i] reduction(+:s)
  for (int i = 0; i < n; i++) s += c[i] + d[i];
  xmp_free(c);
  return s;
}
int main(void) {
  int n = N, nodes = xmp_num_nodes(), *sizes = malloc(sizeof(int) * nodes), left = 5, fixed = 2;
#ifdef _XCALABLEMP
  xmp_template_fixed(xmp_desc_of(t), &fixed);
  { int i = fixed; EXPECT(fixed == 0); }
#endif
#pragma xmp template_fix [block] t[n]
  a = (double *)xmp_malloc(xmp_desc_of(a), n);
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp reflect (a)
#pragma xmp loop on t[i] reduction(+:sum)
  for (int i = 1; i < N - 1; i++) { EXPECT(a[i - 1] + a[i + 1] == 2 * i); sum += a[i]; }
  twice(a);
#pragma xmp array on t[2:3]
  a[2:3] = a[2:3] + 1;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) EXPECT(a[i] == 2 * i + (i >= 2 && i < 5));
  for (int i = 0; i < nodes; i++) { sizes[i] = i == nodes - 1 ? left : left / 2; left -= sizes[i]; }
#pragma xmp template_fix (gblock(sizes),*) g(0:4,0:N-1)
  m = (int (*)[5])xmp_malloc(xmp_desc_of(m), n, 5);
#pragma xmp loop (i,j) on g(j,i)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 5; j++) m[i][j] = 100 * i + j;
  int x[5];
#pragma xmp gmove
  x[:] = m[7][0:5];
  for (int i = 0; i < 5; i++) EXPECT(x[i] == 700 + i);
  for (int i = 4; i < 30; i += 7) EXPECT(cyclic(i) == i * (i - 1));
  free(a);
  xmp_free(m);
#pragma xmp reduction(+:bad)
#pragma xmp task on p[0]
  { printf("%s\n", bad || sum != 190 ? "ERROR" : "PASS"); }
  free(sizes);
  return bad;
}
