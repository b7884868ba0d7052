/* Lattice QCD with Wilson fermions: (gamma_5 D)^2 x = b by conjugate gradients on a periodic lattice of four dimensions.

   D psi(x) = psi(x) - kappa sum_mu [ (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger psi(x-mu) ]

   in the Dirac representation: gamma_k = [[0, -i sigma_k], [i sigma_k, 0]], gamma_t = diag(1, 1, -1, -1),
   gamma_5 = [[0, 1], [1, 0]]. Links are random in SU(3), each a function of its site; b is a point source.
   Usage: lqcd [most iterations [repetitions of the operator that are timed]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef NT
#define NT 8
#define NZ 6
#define NY 4
#define NX 4
#endif
#define KAPPA 0.15
#define TOLERANCE 1e-16 /* of |r|^2 / |b|^2 */

typedef struct {
  double re, im;
} Complex;
typedef struct {
  Complex at[3][3]; /* [row][column] */
} Link;
typedef struct {
  Complex at[4][3]; /* [spin][colour] */
} Spinor;

enum { X, Y, Z, T };
#pragma xmp nodes ranks[*][NODES_Z][NODES_Y]
#pragma xmp template lattice[NT][NZ][NY]
#pragma xmp distribute lattice[block][block][block] onto ranks
static Link links[4][NT][NZ][NY][NX];
#pragma xmp align links[*][t][z][y][*] with lattice[t][z][y] shadow [0][1:0][1:0][1:0][0]
static Spinor b[NT][NZ][NY][NX], x[NT][NZ][NY][NX], r[NT][NZ][NY][NX], p[NT][NZ][NY][NX], v[NT][NZ][NY][NX], w[NT][NZ][NY][NX];
#pragma xmp align [t][z][y][*] with lattice[t][z][y] shadow [1][1][1][0] :: b, x, r, p, v, w

/* Site i of an axis is kept at at_...[i + 1]: the sites beyond the ends are those at the other end. */
static int at_t[NT + 2], at_z[NZ + 2], at_y[NY + 2], at_x[NX + 2];

static void close_lattice(void) {
  for (int i = 0; i < NT + 2; i++) at_t[i] = i - 1;
  for (int i = 0; i < NZ + 2; i++) at_z[i] = i - 1;
  for (int i = 0; i < NY + 2; i++) at_y[i] = i - 1;
  for (int i = 0; i < NX + 2; i++) at_x[i] = i - 1;
#pragma xmp loop on lattice[t][*][*]
  for (int t = -1; t <= NT; t += NT + 1) at_t[t + 1] = (t + NT) % NT;
#pragma xmp loop on lattice[*][z][*]
  for (int z = -1; z <= NZ; z += NZ + 1) at_z[z + 1] = (z + NZ) % NZ;
#pragma xmp loop on lattice[*][*][y]
  for (int y = -1; y <= NY; y += NY + 1) at_y[y + 1] = (y + NY) % NY;
  for (int x = -1; x <= NX; x += NX + 1) at_x[x + 1] = (x + NX) % NX;
}

/* A number in [-1, 1) that depends on n alone (splitmix64). */
static double noise(unsigned long long n) {
  n += 0x9e3779b97f4a7c15ull;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ull;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebull;
  n ^= n >> 31;
  return (double)(n >> 11) / 4503599627370496.0 - 1;
}

static void normalise(Complex row[3]) {
  double sum = 0;
  for (int c = 0; c < 3; c++) sum += row[c].re * row[c].re + row[c].im * row[c].im;
  for (int c = 0; c < 3; c++) row[c].re /= sqrt(sum), row[c].im /= sqrt(sum);
}

/* Two random rows made orthonormal; the third is the complex conjugate of their cross product, so that det U = 1. */
static Link random_link(unsigned long long place) {
  Link u;
  for (int a = 0; a < 2; a++)
    for (int c = 0; c < 3; c++) {
      u.at[a][c].re = noise(place * 12 + a * 6 + c * 2);
      u.at[a][c].im = noise(place * 12 + a * 6 + c * 2 + 1);
    }
  normalise(u.at[0]);
  Complex dot = {0, 0};
  for (int c = 0; c < 3; c++) {
    dot.re += u.at[0][c].re * u.at[1][c].re + u.at[0][c].im * u.at[1][c].im;
    dot.im += u.at[0][c].re * u.at[1][c].im - u.at[0][c].im * u.at[1][c].re;
  }
  for (int c = 0; c < 3; c++) {
    u.at[1][c].re -= dot.re * u.at[0][c].re - dot.im * u.at[0][c].im;
    u.at[1][c].im -= dot.re * u.at[0][c].im + dot.im * u.at[0][c].re;
  }
  normalise(u.at[1]);
  for (int c = 0; c < 3; c++) {
    const Complex a = u.at[0][(c + 1) % 3], d = u.at[1][(c + 2) % 3], e = u.at[0][(c + 2) % 3], f = u.at[1][(c + 1) % 3];
    u.at[2][c].re = a.re * d.re - a.im * d.im - (e.re * f.re - e.im * f.im);
    u.at[2][c].im = -(a.re * d.im + a.im * d.re) + (e.re * f.im + e.im * f.re);
  }
  return u;
}

static void make_links(void) {
#pragma xmp loop (t, z, y) on lattice[t][z][y]
  for (int t = 0; t < NT; t++)
    for (int z = 0; z < NZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int mu = 0; mu < 4; mu++)
            links[mu][t][z][y][x] = random_link(((((unsigned long long)mu * NT + t) * NZ + z) * NY + y) * NX + x);
#pragma xmp reflect (links) width(0, /periodic/1:0, /periodic/1:0, /periodic/1:0, 0) orthogonal
}

/* a times i to the power of quarters. */
#pragma acc routine seq
static inline Complex turned(Complex a, int quarters) {
  Complex one = a, i = {-a.im, a.re}, minus = {-a.re, -a.im}, minus_i = {a.im, -a.re};
  return quarters == 0 ? one : quarters == 1 ? i : quarters == 2 ? minus : minus_i;
}

/* U h, or U^dagger h where back is set. */
#pragma acc routine seq
static inline void times_link(Complex out[3], const Link *u, int back, const Complex h[3]) {
  for (int a = 0; a < 3; a++) {
    double re = 0, im = 0;
    for (int c = 0; c < 3; c++) {
      const double ure = back ? u->at[c][a].re : u->at[a][c].re;
      const double uim = back ? -u->at[c][a].im : u->at[a][c].im;
      re += ure * h[c].re - uim * h[c].im;
      im += ure * h[c].im + uim * h[c].re;
    }
    out[a].re = re;
    out[a].im = im;
  }
}

/* Adds (1 -+ gamma_k) U psi. Spins 0 and 1 are projected with their partners, which enter with i^q0 and i^q1; what comes
   out goes back to the partners with the conjugate factors. */
#pragma acc routine seq
static inline void hop(Spinor *sum, const Link *u, int back, const Spinor *psi, int partner, int q0, int q1) {
  for (int s = 0; s < 2; s++) {
    const int other = s == 0 ? partner : 5 - partner, q = s == 0 ? q0 : q1;
    Complex half[3], moved[3];
    for (int c = 0; c < 3; c++) {
      const Complex more = turned(psi->at[other][c], q);
      half[c].re = psi->at[s][c].re + more.re;
      half[c].im = psi->at[s][c].im + more.im;
    }
    times_link(moved, u, back, half);
    for (int c = 0; c < 3; c++) {
      const Complex more = turned(moved[c], (4 - q) % 4);
      sum->at[s][c].re += moved[c].re;
      sum->at[s][c].im += moved[c].im;
      sum->at[other][c].re += more.re;
      sum->at[other][c].im += more.im;
    }
  }
}

/* Adds (1 -+ gamma_t) U psi, which keeps the two spins from `first` on, twice. */
#pragma acc routine seq
static inline void hop_t(Spinor *sum, const Link *u, int back, const Spinor *psi, int first) {
  for (int s = first; s < first + 2; s++) {
    Complex moved[3];
    times_link(moved, u, back, psi->at[s]);
    for (int c = 0; c < 3; c++) {
      sum->at[s][c].re += 2 * moved[c].re;
      sum->at[s][c].im += 2 * moved[c].im;
    }
  }
}

/* out = gamma_5 D in. */
static void wilson(Spinor out[NT][NZ][NY][NX], Spinor in[NT][NZ][NY][NX]) {
#pragma xmp align [t][z][y][*] with lattice[t][z][y] shadow [1][1][1][0] :: out, in
#pragma xmp reflect_do (in) acc nowait profile(reflect)
#pragma xmp loop (t, z, y) on lattice[t][z][y] profile(operator)
#pragma acc parallel loop collapse(4) present(out, in, links, at_t, at_z, at_y, at_x)
  for (int t = 0; t < NT; t++)
    for (int z = 0; z < NZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
          const int tp = at_t[t + 2], tm = at_t[t], zp = at_z[z + 2], zm = at_z[z];
          const int yp = at_y[y + 2], ym = at_y[y], xp = at_x[x + 2], xm = at_x[x];
          Spinor sum = {0};
          hop(&sum, &links[X][t][z][y][x], 0, &in[t][z][y][xp], 3, 1, 1);
          hop(&sum, &links[X][t][z][y][xm], 1, &in[t][z][y][xm], 3, 3, 3);
          hop(&sum, &links[Y][t][z][y][x], 0, &in[t][z][yp][x], 3, 0, 2);
          hop(&sum, &links[Y][t][z][ym][x], 1, &in[t][z][ym][x], 3, 2, 0);
          hop(&sum, &links[Z][t][z][y][x], 0, &in[t][zp][y][x], 2, 1, 3);
          hop(&sum, &links[Z][t][zm][y][x], 1, &in[t][zm][y][x], 2, 3, 1);
          hop_t(&sum, &links[T][t][z][y][x], 0, &in[tp][z][y][x], 2);
          hop_t(&sum, &links[T][tm][z][y][x], 1, &in[tm][z][y][x], 0);
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 3; c++) {
              out[t][z][y][x].at[(s + 2) % 4][c].re = in[t][z][y][x].at[s][c].re - KAPPA * sum.at[s][c].re;
              out[t][z][y][x].at[(s + 2) % 4][c].im = in[t][z][y][x].at[s][c].im - KAPPA * sum.at[s][c].im;
            }
        }
}

/* out = f in + g other; the arrays may be the same. */
static void combine(Spinor out[NT][NZ][NY][NX], double f, Spinor in[NT][NZ][NY][NX], double g, Spinor other[NT][NZ][NY][NX]) {
#pragma xmp align [t][z][y][*] with lattice[t][z][y] shadow [1][1][1][0] :: out, in, other
#pragma xmp loop (t, z, y) on lattice[t][z][y] profile(vector)
#pragma acc parallel loop collapse(4) present(out, in, other)
  for (int t = 0; t < NT; t++)
    for (int z = 0; z < NZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 3; c++) {
              const Complex h = in[t][z][y][x].at[s][c], k = other[t][z][y][x].at[s][c];
              out[t][z][y][x].at[s][c].re = f * h.re + g * k.re;
              out[t][z][y][x].at[s][c].im = f * h.im + g * k.im;
            }
}

/* The real part of the scalar product. */
static double product(Spinor left[NT][NZ][NY][NX], Spinor right[NT][NZ][NY][NX]) {
#pragma xmp align [t][z][y][*] with lattice[t][z][y] shadow [1][1][1][0] :: left, right
  double sum = 0;
#pragma xmp loop (t, z, y) on lattice[t][z][y] reduction(+:sum) profile(vector)
#pragma acc parallel loop collapse(4) present(left, right) reduction(+:sum)
  for (int t = 0; t < NT; t++)
    for (int z = 0; z < NZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 3; c++) {
              const Complex h = left[t][z][y][x].at[s][c], k = right[t][z][y][x].at[s][c];
              sum += h.re * k.re + h.im * k.im;
            }
  return sum;
}

/* Conjugate gradients for (gamma_5 D)^2 x = b from x = b; rr and bb are |r|^2 and |b|^2. */
static double rr, bb;

static void begin(void) {
  bb = product(b, b);
  combine(x, 1, b, 0, b);
  wilson(w, x);
  wilson(v, w);
  combine(r, 1, b, -1, v);
  combine(p, 1, r, 0, r);
  rr = product(r, r);
}

static void iterate(void) {
  wilson(w, p);
  wilson(v, w);
  const double alpha = rr / product(v, p), before = rr;
  combine(x, 1, x, alpha, p);
  combine(r, 1, r, -alpha, v);
  rr = product(r, r);
  combine(p, 1, r, rr / before, p);
}

/* The norm of each residual is printed. */
static void solve(int most) {
  begin();
  for (int n = 0; n < most && rr > TOLERANCE * bb; n++) {
    iterate();
#pragma xmp task on ranks[0][0][0]
    { printf("residual %d %.15e\n", n + 1, rr / bb); }
  }
  wilson(w, x);
  wilson(v, w);
  combine(r, 1, b, -1, v);
  rr = product(r, r);
#pragma xmp task on ranks[0][0][0]
  { printf("true residual %.2e\n", rr / bb); }
}

/* |x|^2 of each time slice. */
static void sum_slices(double slice[NT]) {
  for (int t = 0; t < NT; t++) slice[t] = 0;
#pragma acc update self(x)
#pragma xmp loop (t, z, y) on lattice[t][z][y] reduction(+:slice)
  for (int t = 0; t < NT; t++)
    for (int z = 0; z < NZ; z++)
      for (int y = 0; y < NY; y++)
        for (int i = 0; i < NX; i++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 3; c++) {
              const Complex h = x[t][z][y][i].at[s][c];
              slice[t] += h.re * h.re + h.im * h.im;
            }
}

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

/* Links, the source and what the solver needs. */
static void prepare(void) {
  close_lattice();
  make_links();
#pragma xmp task on lattice[0][0][0]
  b[0][0][0][0].at[0][0].re = 1;
#pragma acc enter data copyin(links, at_t, at_z, at_y, at_x, b) create(x, r, p, v, w)
#pragma xmp reflect_init (x, p, w) width(/periodic/1, /periodic/1, /periodic/1, 0) orthogonal
}

int main(int argc, char **argv) {
  const int most = argc > 1 ? atoi(argv[1]) : 1000, times = argc > 2 ? atoi(argv[2]) : 0;
  prepare();
  solve(most);
  double slice[NT];
  sum_slices(slice);
#pragma xmp task on ranks[0][0][0]
  for (int t = 0; t < NT; t++) printf("slice %d %.15e\n", t, slice[t]);
#pragma xmp barrier
  const double start = now();
  for (int n = 0; n < times; n++) {
    wilson(w, x);
    wilson(x, w);
  }
#pragma xmp barrier
#pragma xmp task on ranks[0][0][0]
  if (times > 0) printf("operator %.6e s\n", (now() - start) / (2.0 * times));
#pragma acc exit data delete(links, at_t, at_z, at_y, at_x, b, x, r, p, v, w)
  return 0;
}
