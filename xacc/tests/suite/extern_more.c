#include "extern_map.h"
void fill(double a[SIZE], double f) {
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp loop (i) on t[i]
  for (int i = 0; i < SIZE; i++) a[i] = f * i;
}
double total(double a[SIZE]) {
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
  double s = 0;
#pragma xmp loop (i) on t[i] reduction(+:s)
  for (int i = 0; i < SIZE; i++) s += a[i];
  return s;
}
void halo(void) {
#pragma xmp reflect (v)
}
int count(void) {
  int n = 1;
#pragma xmp reduction(+:n)
  return n;
}
