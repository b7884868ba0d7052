// ranks: 2 4
// acc: yes
// Lattice style: structures in four dimensions, parameters, reflect_do with acc, OpenACC data and loops on global indices.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define NT 8
#define NZ 6
#define NY 3
#define NX 2
typedef struct {
  double v[4][2];
} Quark;
#pragma xmp nodes n[*][2]
#pragma xmp template t[NT][NZ]
#pragma xmp distribute t[block][block] onto n
Quark X[NT][NZ][NY][NX], T[NT][NZ][NY][NX];
double U[4][NT][NZ][NY][NX];
#pragma xmp align [i][j][*][*] with t[i][j] shadow [1][1][0][0] :: X, T
#pragma xmp align [*][i][j][*][*] with t[i][j] shadow [0][1][1][0][0] :: U
static void hop(Quark out[NT][NZ][NY][NX], const double u[4][NT][NZ][NY][NX], const Quark v[NT][NZ][NY][NX]) {
#pragma xmp align [i][j][*][*] with t[i][j] shadow [1][1][0][0] :: out, v
#pragma xmp align [*][i][j][*][*] with t[i][j] shadow [0][1][1][0][0] :: u
#pragma xmp loop (t, z) on t[t][z]
#pragma acc parallel loop collapse(4) present(out, u, v)
  for (int t = 0; t < NT; t++)
    for (int z = 0; z < NZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 2; c++)
              out[t][z][y][x].v[s][c] = v[t][z][y][x].v[s][c] + u[s][t][z - 1][y][x] * v[t][z - 1][y][x].v[s][c] +
                                        u[3 - s][t - 1][z][y][x] * v[t - 1][z][y][x].v[s][c] + 2 * v[t + 1][z][y][x].v[s][1 - c] -
                                        v[t][z + 1][y][x].v[3 - s][c];
}
static double norm(const Quark v[NT][NZ][NY][NX]) {
#pragma xmp align [i][j][*][*] with t[i][j] shadow [1][1][0][0] :: v
  double a = 0.0;
#pragma xmp loop (t, z) on t[t][z] reduction(+:a)
#pragma acc parallel loop collapse(4) present(v) reduction(+:a)
  for (int t = 0; t < NT; t++)
    for (int z = 0; z < NZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 2; c++) a += v[t][z][y][x].v[s][c] * v[t][z][y][x].v[s][c];
  return a;
}
static int at(int i, int n) { return (i + n) % n; }
static Quark sx[NT][NZ][NY][NX], st[NT][NZ][NY][NX];
static double su(int m, int t, int z, int y, int x) { return m + at(t, NT) % 3 - at(z, NZ) % 2 + y * x; }
static double serial(void) {
  double a = 0;
  for (int n = 0; n < 2; n++)
    for (int t = 0; t < NT; t++)
      for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
          for (int x = 0; x < NX; x++)
            for (int s = 0; s < 4; s++)
              for (int c = 0; c < 2; c++) {
                Quark(*v)[NZ][NY][NX] = n ? st : sx, (*out)[NZ][NY][NX] = n ? sx : st;
                out[t][z][y][x].v[s][c] = v[t][z][y][x].v[s][c] + su(s, t, z - 1, y, x) * v[t][at(z - 1, NZ)][y][x].v[s][c] +
                                          su(3 - s, t - 1, z, y, x) * v[at(t - 1, NT)][z][y][x].v[s][c] +
                                          2 * v[at(t + 1, NT)][z][y][x].v[s][1 - c] - v[t][at(z + 1, NZ)][y][x].v[3 - s][c];
              }
  for (int t = 0; t < NT; t++)
    for (int z = 0; z < NZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 2; c++) a += sx[t][z][y][x].v[s][c] * sx[t][z][y][x].v[s][c];
  return a;
}
int main(void) {
#pragma xmp loop (i, j) on t[i][j]
  for (int i = 0; i < NT; i++)
    for (int j = 0; j < NZ; j++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int s = 0; s < 4; s++) {
            U[s][i][j][y][x] = su(s, i, j, y, x);
            for (int c = 0; c < 2; c++) X[i][j][y][x].v[s][c] = (i * 5 + j * 3 + y + x + s + c) % 7;
          }
  for (int i = 0; i < NT; i++)
    for (int j = 0; j < NZ; j++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 2; c++) sx[i][j][y][x].v[s][c] = (i * 5 + j * 3 + y + x + s + c) % 7;
#pragma xmp reflect_init(T, X) width(/periodic/1, /periodic/1, 0, 0) orthogonal
#pragma xmp reflect_init(U) width(0, /periodic/1:0, /periodic/1:0, 0, 0) orthogonal
#pragma acc enter data copyin(X, T, U)
#pragma xmp reflect_do(U, X) acc
  hop(T, U, X);
#pragma xmp reflect_do(T) acc nowait
  hop(X, U, T);
  double got = norm(X), want = serial();
#pragma acc update self(X)
#pragma acc exit data delete(X, T, U)
  int bad = fabs(got - want) > 1e-12 * want;
#pragma xmp reduction(max:bad)
#pragma xmp task on n[0][0]
  { printf("%s %.17g %.17g\n", bad ? "ERROR" : "PASS", got, want); }
  return bad;
}
