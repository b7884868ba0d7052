// ranks: 3 4
// Bodies that attract each other: structures with a full shadow, each node has all positions, energy by several reductions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
typedef struct { double x[3], v[3], m; } Body;
enum { COUNT = 23 };
#pragma xmp nodes p[*]
#pragma xmp template t[COUNT]
#pragma xmp distribute t[block] onto p
static Body b[COUNT];
#pragma xmp align b[i] with t[i]
#pragma xmp shadow b[*]
static Body s[COUNT];
static Body begin(int i)
{
  Body r = {{cos(i), sin(i * 1.7), 0.1 * i}, {0}, 1.0 + i % 3};
  return r;
}
static void force(double f[3], const Body *me, const Body *other)
{
  double d2 = 0.05;
  for (int k = 0; k < 3; k++) d2 += (me->x[k] - other->x[k]) * (me->x[k] - other->x[k]);
  for (int k = 0; k < 3; k++) f[k] += other->m * (other->x[k] - me->x[k]) / (d2 * sqrt(d2));
}
int main(void)
{
  double kinetic = 0, lowest = 1e9, most = -1e9, plain = 0, worst = 0, momentum[3] = {0, 0, 0};
  int where = -1;
#pragma xmp loop on t[i]
  for (int i = 0; i < COUNT; i++) b[i] = begin(i);
  for (int i = 0; i < COUNT; i++) s[i] = begin(i);
  for (int step = 0; step < 8; step++) {
#pragma xmp reflect (b)
#pragma xmp loop on t[i]
    for (int i = 0; i < COUNT; i++) {
      double f[3] = {0, 0, 0};
      for (int j = 0; j < COUNT; j++)
	if (j != i) force(f, &b[i], &b[j]);
      for (int k = 0; k < 3; k++) b[i].v[k] += 0.01 * f[k];
    }
#pragma xmp loop on t[i]
    for (int i = 0; i < COUNT; i++)
      for (int k = 0; k < 3; k++) b[i].x[k] += 0.01 * b[i].v[k];
    for (int i = 0; i < COUNT; i++) {
      double f[3] = {0, 0, 0};
      for (int j = 0; j < COUNT; j++)
	if (j != i) force(f, &s[i], &s[j]);
      for (int k = 0; k < 3; k++) s[i].v[k] += 0.01 * f[k];
    }
    for (int i = 0; i < COUNT; i++)
      for (int k = 0; k < 3; k++) s[i].x[k] += 0.01 * s[i].v[k];
  }
#pragma xmp loop on t[i] reduction(+:kinetic, momentum) reduction(max:worst, most) reduction(firstmin:lowest/where/)
  for (int i = 0; i < COUNT; i++) {
    double e = 0;
    for (int k = 0; k < 3; k++) {
      e += 0.5 * b[i].m * b[i].v[k] * b[i].v[k];
      momentum[k] += b[i].m * b[i].v[k];
      worst = fmax(worst, fabs(b[i].x[k] - s[i].x[k]));
    }
    kinetic += e;
    if (e < lowest) lowest = e, where = i;
    if (e > most) most = e;
  }
  int at = -1;
  double least = 1e9;
  for (int i = 0; i < COUNT; i++) {
    double e = 0;
    for (int k = 0; k < 3; k++) e += 0.5 * s[i].m * s[i].v[k] * s[i].v[k];
    plain += e;
    if (e < least) least = e, at = i;
  }
  int bad = worst > 1e-12 || fabs(kinetic - plain) > 1e-10 * plain || where != at || lowest > most;
  for (int k = 0; k < 3; k++) bad |= fabs(momentum[k]) > 1e-10;
#pragma xmp task on p[0]
  printf(bad ? "ERROR %g %g %g %d %d\n" : "PASS\n", worst, kinetic, plain, where, at);
  return bad;
}
