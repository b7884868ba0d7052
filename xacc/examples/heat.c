/* Heat in a rod: the serial program, and ten lines that distribute it. */
#include <stdio.h>
#define N 1000

double u[N], v[N];
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp align [i] with t[i] shadow [1] :: u, v

int main(void) {
  double sum = 0;
#pragma xmp loop on t[i]
  for (int i = 0; i < N; i++) u[i] = v[i] = i == N / 2;
  for (int step = 0; step < 200; step++) {
#pragma xmp reflect (u)
#pragma xmp loop on t[i]
    for (int i = 1; i < N - 1; i++) v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) u[i] = v[i];
  }
#pragma xmp loop on t[i] reduction(+:sum)
  for (int i = 0; i < N; i++) sum += u[i];
#pragma xmp task on p[0]
  { printf("heat in the rod: %.12f\n", sum); }
  return 0;
}
