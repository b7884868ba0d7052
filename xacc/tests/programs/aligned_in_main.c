// An array of the file scope that main aligns.
// ranks: 1 3
// flags: -Wno-unknown-pragmas
#include <stdio.h>
#include <xmp.h>
double a[10][4];
#pragma xmp nodes p[*]
int main(void) {
#pragma xmp template t[10]
#pragma xmp distribute t[cyclic] onto p
#pragma xmp align a[i][*] with t[i]
  double s = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < 10; i++) a[i][2] = i;
#pragma xmp loop on t[i] reduction(+:s)
  for (int i = 0; i < 10; i++) s += a[i][2];
  if (xmpc_node_num() == 0) printf("%s %g\n", s == 45 ? "PASS" : "ERROR", s);
  return 0;
}
