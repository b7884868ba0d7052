// ranks: 4
// Arrays of structures, unions and pointers; elements passed by address, returned, assigned whole; members in halos.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
#define N 40
typedef struct {
  double x[3];
  struct { int id; char tag[4]; } info;
} body;
union word { int i; float f; };
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
body a[N];
union word w[N];
int *lists[N];
#pragma xmp align a[i] with t(i)
#pragma xmp align w[i] with t(i)
#pragma xmp align lists[i] with t(i)
#pragma xmp shadow a[1]
static body make(int i) {
  body b = {{i, i * 2, i * 3}, {i, "ab"}};
  return b;
}
static double length2(const body *b) { return b->x[0] * b->x[0] + b->x[1] * b->x[1] + b->x[2] * b->x[2]; }
int main(void) {
  int i, bad = 0;
  double s = 0;
#pragma xmp loop (i) on t(i)
  for (i = 0; i < N; i++) {
    a[i] = make(i);
    a[i].info.tag[1] = 'c';
    w[i].f = 1.0f;
    w[i].i++;
    lists[i] = malloc(2 * sizeof *lists[i]);
    lists[i][0] = i, lists[i][1] = -i;
  }
#pragma xmp reflect (a)
#pragma xmp loop (i) on t(i) reduction(+:s)
  for (i = 1; i < N - 1; i++) {
    const body left = a[i - 1], *right = &a[i + 1];
    s += length2(&a[i]) - left.x[0] + (*right).x[0] + strcmp(a[i + 1].info.tag, "ac");
    if (a[i - 1].info.id != i - 1 || lists[i][0] + lists[i][1]) bad = 1;
  }
  double want = 0;
  for (i = 1; i < N - 1; i++) want += 14.0 * i * i + 2;
  if (s != want) bad = 2;
#pragma xmp reduction(max:bad)
#pragma xmp task on p(1)
  { printf(bad ? "ERROR %g %g\n" : "PASS\n", s, want); }
  return bad;
}
