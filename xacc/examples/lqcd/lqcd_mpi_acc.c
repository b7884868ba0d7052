/* Lattice QCD with Wilson fermions: (gamma_5 D)^2 x = b by conjugate gradients on a periodic lattice of four dimensions.

   D psi(x) = psi(x) - kappa sum_mu [ (1 - gamma_mu) U_mu(x) psi(x+mu) + (1 + gamma_mu) U_mu(x-mu)^dagger psi(x-mu) ]

   in the Dirac representation: gamma_k = [[0, -i sigma_k], [i sigma_k, 0]], gamma_t = diag(1, 1, -1, -1),
   gamma_5 = [[0, 1], [1, 0]]. Links are random in SU(3), each a function of its site; b is a point source.
   By hand with MPI and OpenACC: blocks of LT x LZ sites, and around them the halo that messages fill. NODES_T x NODES_Z ranks, each
   with its device. Faces are packed there; DEVICE_MPI is defined where MPI reads the memory of the device.
   Usage: lqcd [most iterations [repetitions of the operator that are timed]] */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef NT
#define NT 8
#define NZ 6
#define NY 4
#define NX 4
#endif
#ifndef NODES_T
#define NODES_T 1
#endif
#ifndef NODES_Z
#define NODES_Z 1
#endif
#define LT (NT / NODES_T)
#define LZ (NZ / NODES_Z)
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
static Link links[4][LT + 2][LZ + 2][NY][NX];
typedef Spinor Field[LT + 2][LZ + 2][NY][NX];
static Field b, x, r, p, v, w;
static int me, my_t, my_z, above_t, below_t, above_z, below_z;
static MPI_Datatype link_face_t, link_face_z;

/* Packed faces of spinors: lower and upper in t, lower and upper in z. */
#define FACE ((LT > LZ ? LT : LZ) * NY * NX)
static Spinor sent[4][FACE], received[4][FACE];

/* Site i of an axis is kept at at_...[i + 1]: the sites beyond the ends are those at the other end. */
static int at_y[NY + 2], at_x[NX + 2];

static void close_lattice(void) {
  for (int i = 0; i < NY + 2; i++) at_y[i] = i - 1;
  for (int i = 0; i < NX + 2; i++) at_x[i] = i - 1;
  for (int y = -1; y <= NY; y += NY + 1) at_y[y + 1] = (y + NY) % NY;
  for (int x = -1; x <= NX; x += NX + 1) at_x[x + 1] = (x + NX) % NX;
}

static int rank_of(int t, int z) { return (t + NODES_T) % NODES_T * NODES_Z + (z + NODES_Z) % NODES_Z; }

static void start_mpi(int *argc, char ***argv) {
  int size;
  MPI_Init(argc, argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (size != NODES_T * NODES_Z || NT % NODES_T || NZ % NODES_Z) {
    fprintf(stderr, "lqcd: built for %d x %d ranks that divide %d x %d.\n", NODES_T, NODES_Z, NT, NZ);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  my_t = me / NODES_Z;
  my_z = me % NODES_Z;
  above_t = rank_of(my_t + 1, my_z);
  below_t = rank_of(my_t - 1, my_z);
  above_z = rank_of(my_t, my_z + 1);
  below_z = rank_of(my_t, my_z - 1);
  const int row = NY * NX, slice = (LZ + 2) * row;
  MPI_Type_contiguous(LZ * row * 18, MPI_DOUBLE, &link_face_t);
  MPI_Type_vector(LT, row * 18, slice * 18, MPI_DOUBLE, &link_face_z);
  MPI_Type_commit(&link_face_t);
  MPI_Type_commit(&link_face_z);
}

/* Halos on both sides of t and z. A rank that is alone on an axis sends to itself. */
static void exchange(Field f) {
  const int doubles = sizeof(Spinor) / sizeof(double), face_t = LZ * NY * NX * doubles, face_z = LT * NY * NX * doubles;
  MPI_Request request[8];
#pragma acc parallel loop collapse(3) present(f, sent)
  for (int z = 1; z <= LZ; z++)
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++) {
        sent[0][((z - 1) * NY + y) * NX + x] = f[1][z][y][x];
        sent[1][((z - 1) * NY + y) * NX + x] = f[LT][z][y][x];
      }
#pragma acc parallel loop collapse(3) present(f, sent)
  for (int t = 1; t <= LT; t++)
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++) {
        sent[2][((t - 1) * NY + y) * NX + x] = f[t][1][y][x];
        sent[3][((t - 1) * NY + y) * NX + x] = f[t][LZ][y][x];
      }
#ifdef DEVICE_MPI
#pragma acc host_data use_device(sent, received)
#else
#pragma acc update self(sent)
#endif
  {
    MPI_Irecv(received[0], face_t, MPI_DOUBLE, below_t, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(received[1], face_t, MPI_DOUBLE, above_t, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(received[2], face_z, MPI_DOUBLE, below_z, 3, MPI_COMM_WORLD, &request[2]);
    MPI_Irecv(received[3], face_z, MPI_DOUBLE, above_z, 2, MPI_COMM_WORLD, &request[3]);
    MPI_Isend(sent[0], face_t, MPI_DOUBLE, below_t, 0, MPI_COMM_WORLD, &request[4]);
    MPI_Isend(sent[1], face_t, MPI_DOUBLE, above_t, 1, MPI_COMM_WORLD, &request[5]);
    MPI_Isend(sent[2], face_z, MPI_DOUBLE, below_z, 2, MPI_COMM_WORLD, &request[6]);
    MPI_Isend(sent[3], face_z, MPI_DOUBLE, above_z, 3, MPI_COMM_WORLD, &request[7]);
    MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
  }
#ifndef DEVICE_MPI
#pragma acc update device(received)
#endif
#pragma acc parallel loop collapse(3) present(f, received)
  for (int z = 1; z <= LZ; z++)
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++) {
        f[0][z][y][x] = received[0][((z - 1) * NY + y) * NX + x];
        f[LT + 1][z][y][x] = received[1][((z - 1) * NY + y) * NX + x];
      }
#pragma acc parallel loop collapse(3) present(f, received)
  for (int t = 1; t <= LT; t++)
    for (int y = 0; y < NY; y++)
      for (int x = 0; x < NX; x++) {
        f[t][0][y][x] = received[2][((t - 1) * NY + y) * NX + x];
        f[t][LZ + 1][y][x] = received[3][((t - 1) * NY + y) * NX + x];
      }
}

/* Links are needed on the lower sides only, once. */
static void exchange_links(void) {
  for (int mu = 0; mu < 4; mu++) {
    MPI_Sendrecv(links[mu][LT][1], 1, link_face_t, above_t, 0, links[mu][0][1], 1, link_face_t, below_t, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(links[mu][1][LZ], 1, link_face_z, above_z, 0, links[mu][1][0], 1, link_face_z, below_z, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
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
  for (int t = 1; t <= LT; t++)
    for (int z = 1; z <= LZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int mu = 0; mu < 4; mu++)
            links[mu][t][z][y][x] = random_link(((((unsigned long long)mu * NT + my_t * LT + t - 1) * NZ + my_z * LZ + z - 1) * NY + y) * NX + x);
  exchange_links();
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
static void wilson(Field out, Field in) {
  exchange(in);
#pragma acc parallel loop collapse(4) present(out, in, links, at_y, at_x)
  for (int t = 1; t <= LT; t++)
    for (int z = 1; z <= LZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
          const int tp = t + 1, tm = t - 1, zp = z + 1, zm = z - 1;
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
static void combine(Field out, double f, Field in, double g, Field other) {
#pragma acc parallel loop collapse(4) present(out, in, other)
  for (int t = 1; t <= LT; t++)
    for (int z = 1; z <= LZ; z++)
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
static double product(Field left, Field right) {
  double sum = 0;
#pragma acc parallel loop collapse(4) present(left, right) reduction(+:sum)
  for (int t = 1; t <= LT; t++)
    for (int z = 1; z <= LZ; z++)
      for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 3; c++) {
              const Complex h = left[t][z][y][x].at[s][c], k = right[t][z][y][x].at[s][c];
              sum += h.re * k.re + h.im * k.im;
            }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
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
    if (me == 0) printf("residual %d %.15e\n", n + 1, rr / bb);
  }
  wilson(w, x);
  wilson(v, w);
  combine(r, 1, b, -1, v);
  rr = product(r, r);
  if (me == 0) printf("true residual %.2e\n", rr / bb);
}

/* |x|^2 of each time slice. */
static void sum_slices(double slice[NT]) {
  for (int t = 0; t < NT; t++) slice[t] = 0;
#pragma acc update self(x)
  for (int t = 1; t <= LT; t++)
    for (int z = 1; z <= LZ; z++)
      for (int y = 0; y < NY; y++)
        for (int i = 0; i < NX; i++)
          for (int s = 0; s < 4; s++)
            for (int c = 0; c < 3; c++) {
              const Complex h = x[t][z][y][i].at[s][c];
              slice[my_t * LT + t - 1] += h.re * h.re + h.im * h.im;
            }
  MPI_Allreduce(MPI_IN_PLACE, slice, NT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Links, the source and what the solver needs. */
static void prepare(void) {
  close_lattice();
  make_links();
  if (me == 0) b[1][1][0][0].at[0][0].re = 1;
#pragma acc enter data copyin(links, at_y, at_x, b) create(x, r, p, v, w, sent, received)
}

int main(int argc, char **argv) {
  const int most = argc > 1 ? atoi(argv[1]) : 1000, times = argc > 2 ? atoi(argv[2]) : 0;
  start_mpi(&argc, &argv);
  prepare();
  solve(most);
  double slice[NT];
  sum_slices(slice);
  for (int t = 0; me == 0 && t < NT; t++) printf("slice %d %.15e\n", t, slice[t]);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int n = 0; n < times; n++) {
    wilson(w, x);
    wilson(x, w);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0 && times > 0) printf("operator %.6e s\n", (MPI_Wtime() - start) / (2.0 * times));
#pragma acc exit data delete(links, at_y, at_x, b, x, r, p, v, w, sent, received)
  MPI_Finalize();
  return 0;
}
