// ranks: 1 4
// Directives with the clause profile are sections of a program that asks to be told, in the order in which they run.
#include <stdio.h>
#include <string.h>
#include <xmp.h>
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
static char seen[200];
static int depth, deepest;
#ifdef XACC_H
static void note(xacc_section *s, int begins) {
  depth += begins ? 1 : -1;
  if (depth > deepest) deepest = depth;
  if (begins) strcat(strcat(seen, s->name), " ");
}
#endif
static int early(void) {
#pragma xmp task on p[0] profile(task)
  { return 1; }
  return 1;
}
int main(void) {
  int sum = 0, bad = 0;
#ifdef XACC_H
  xacc_sections_to(note);
#endif
#pragma xmp loop on t[i] profile(vector)
  for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp reflect (a) profile
#pragma xmp loop on t[i] profile(operator) reduction(+:sum)
  for (int i = 1; i < N - 1; i++) sum += a[i - 1] + a[i + 1];
#pragma xmp loop on p[i] profile reduction(+:sum)
  for (int i = 0; i < 0; i++) sum++;
#pragma xmp barrier profile
#pragma xmp reduction(max:sum) profile(last)
  bad = sum != 2 * (N - 1) * (N - 2) / 2 || early() != 1;
  if (strcmp(seen, "vector reflect operator reduction loop reduction barrier last task ") || depth || deepest != 1) bad = 1;
#pragma xmp task on p[0]
  { printf("%s %s\n", bad ? "ERROR" : "PASS", seen); }
  return bad;
}
