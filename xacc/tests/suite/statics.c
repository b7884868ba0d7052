// ranks: 2 4
// Static and automatic arrays in functions that call each other and themselves, arrays of the same name, kept values.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[26]
#pragma xmp distribute t[cyclic(2)] onto p
static long once(int add) {
  static long v[26];
#pragma xmp align v[i] with t[i]
  long s = 0;
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < 26; i++) {
    v[i] += add * i;
    s += v[i];
  }
  return s;
}
static long deep(int level) {
  long v[26], w[26][2], s = 0;
#pragma xmp align v[i] with t[i]
#pragma xmp align w[i][*] with t[i]
#pragma xmp loop on t[i]
  for (int i = 0; i < 26; i++) v[i] = level, w[i][0] = w[i][1] = level * i;
  if (level) s = deep(level - 1);
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < 26; i++) s += v[i] + w[i][0] - w[i][1];
  return s;
}
int main(void) {
  int bad = once(1) != 325 || once(2) != 3 * 325 || once(-3) != 0;
  for (int k = 0; k < 50; k++) bad |= deep(4) != 26 * 10;
  {
    int v[26];
#pragma xmp align v[i] with t[i]
    long s = 0;
#pragma xmp loop on t[i]
    for (int i = 25; i >= 0; i -= 5) v[i] = i;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < 26; i += 5) s += v[i];
    bad |= s != 75;
  }
#pragma xmp reduction(||:bad)
#pragma xmp task on p[0]
  printf(bad ? "ERROR\n" : "PASS\n");
  return bad;
}
