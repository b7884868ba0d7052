// ranks: 2 3
// Ways to write: restrict and static in parameters, pointers to rows, i = 1 + i, old main, comments behind directives, one in a string.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 20
typedef double real;
static real x[N], *px, y[N];
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
#pragma xmp align x[i] with t(i)
#pragma xmp align y[i] with t(i) // second
#pragma xmp shadow x[1] /* one */
static const char *text = "#pragma xmp reflect (zz)";
static inline void one(double a[restrict N]) {
#pragma xmp align a[i] with t(i)
  size_t i;
#pragma xmp loop on t(i)
  for (i = 0; i < N; i++)

  /* body */
  {
    a[i] += 1;
  }
}
static void two(double a[static N], const double *b) {
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i] with t(i)
#pragma xmp loop on t(i)
  for (long long i = 0LL; i <= N - 1; i = 1 + i)
    a[i] += b[i];
}
real z[N][N];
#pragma xmp align z[i][*] with t(i)
static double rows(double (*a)[N]) {
#pragma xmp align a[i][*] with t(i)
  double s = 0;
#pragma xmp loop on t(i) reduction(+:s)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) s += a[i][j];
  return s;
}
main()
{
  int i, j;
  int status;
#pragma xmp loop (i) on t(i)
  for (i = 0; i < N; i++) {
    x[i] = i; y[i] = 1;
    for (j = 0; j < N; j++) z[i][j] = j;
  }
  one(x);
  two(x, y);
  double s = 0, w[4] = {1,2,3,4};
#pragma xmp loop on t(i) reduction(+ : s)
  for (i = 0; i < N; i++) { s += x[i]; }
  s += rows(z);
#pragma xmp reduction(+:w[1:2])
#pragma xmp bcast(w[0:2]) from p(1)
#pragma xmp reduction(max:s) async(1)
#pragma xmp wait_async(1)
  xmp_sync_all(&status);
  px = w;
#pragma xmp task on p(1)
  printf("%s %g %g\n", s == 190 + 40 + 3800 && px[1] == 2 * xmp_all_num_nodes() && text[0] == '#' ? "PASS" : "ERROR", s, px[1]);
  return 0;
}
