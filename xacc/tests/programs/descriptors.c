// Descriptors without xmp.h.
// ranks: 1 2
#include <stdio.h>
int a[8];
#pragma xmp nodes p[*]
#pragma xmp template t[8]
#pragma xmp distribute t[block] onto p
#pragma xmp align a[i] with t[i]

int main(void) {
  xmp_desc_t of_array = xmp_desc_of(a), of_template = xmp_desc_of(t);
  int bad = of_array == of_template || !of_array;
  printf(bad ? "ERROR\n" : "PASS\n");
  return bad;
}
