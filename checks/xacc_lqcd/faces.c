/* Two faces that travel at once, by directives: of a field that is shared out along t, whose face is one block, and of a
   field along z, whose face is a row of y and x for each t. */
#include "xacc_embed.h"

typedef struct {
  double at[24];
} Spinor;

#pragma xmp nodes line[*]
#pragma xmp template of_t[NT]
#pragma xmp template of_z[NZ]
#pragma xmp distribute of_t[block] onto line
#pragma xmp distribute of_z[block] onto line
static Spinor in_t[NT][NZ][NY][NX], in_z[NT][NZ][NY][NX];
#pragma xmp align in_t[t][*][*][*] with of_t[t] shadow [1][0][0][0]
#pragma xmp align in_z[*][z][*][*] with of_z[z] shadow [0][1][0][0]

/* Site i of an axis is at_...[i + 1]: beyond the ends of the lattice the tables lead into the halo. */
static int at_t[NT + 2], at_z[NZ + 2];

static void prepare_faces(MPI_Comm comm) {
  xacc_start_in(comm, XACC_GROUP);
  for (int i = 0; i < NT + 2; i++) at_t[i] = i - 1;
  for (int i = 0; i < NZ + 2; i++) at_z[i] = i - 1;
#pragma xmp loop on of_t[t]
  for (int t = -1; t <= NT; t += NT + 1) at_t[t + 1] = (t + NT) % NT;
#pragma xmp loop on of_z[z]
  for (int z = -1; z <= NZ; z += NZ + 1) at_z[z + 1] = (z + NZ) % NZ;
#pragma xmp reflect_init (in_t) width(/periodic/1, 0, 0, 0) orthogonal
#pragma xmp reflect_init (in_z) width(0, /periodic/1, 0, 0) orthogonal
#pragma xmp reflect_do (in_t) nowait
#pragma xmp reflect_do (in_z) nowait
}

static void start_face(int in) {
  if (in == 0) {
#pragma xmp reflect_do (in_t) async(1)
  } else {
#pragma xmp reflect_do (in_z) async(2)
  }
}

static void finish_face(int in) {
#pragma xmp wait_async(in + 1)
}

/* Blocks are of so many sites; the last may have fewer. */
static int first(int site, int block) { return site % block == 0; }
static int last(int site, int block, int sites) { return site % block == block - 1 || site == sites - 1; }

/* No two values are alike, of one sample or of two. */
static double value(double sample, int t, int z, int y, int x, int n) {
  return ((((sample * NT + (t + NT) % NT) * NZ + (z + NZ) % NZ) * NY + y) * NX + x) * 24 + n;
}

#define ROW                      \
  for (int y = 0; y < NY; y++)   \
    for (int x = 0; x < NX; x++) \
      for (int n = 0; n < 24; n++)

static void write_face(int in, int block, double sample) {
  if (in == 0) {
#pragma xmp loop (t) on of_t[t]
    for (int t = 0; t < NT; t++)
      for (int z = 0; z < NZ; z++)
        if (first(t, block) || last(t, block, NT)) ROW in_t[t][z][y][x].at[n] = value(sample, t, z, y, x, n);
  } else {
    for (int t = 0; t < NT; t++)
#pragma xmp loop (z) on of_z[z]
      for (int z = 0; z < NZ; z++)
        if (first(z, block) || last(z, block, NZ)) ROW in_z[t][z][y][x].at[n] = value(sample, t, z, y, x, n);
  }
}

/* Values of the halos of this rank that are not those which their owners wrote. */
static double wrong_values(int in, int block, double sample) {
  double wrong = 0;
  if (in == 0) {
#pragma xmp loop (t) on of_t[t]
    for (int t = 0; t < NT; t++)
      for (int z = 0; z < NZ; z++) {
        if (first(t, block)) ROW wrong += in_t[at_t[t]][z][y][x].at[n] != value(sample, t - 1, z, y, x, n);
        if (last(t, block, NT)) ROW wrong += in_t[at_t[t + 2]][z][y][x].at[n] != value(sample, t + 1, z, y, x, n);
      }
  } else {
    for (int t = 0; t < NT; t++)
#pragma xmp loop (z) on of_z[z]
      for (int z = 0; z < NZ; z++) {
        if (first(z, block)) ROW wrong += in_z[t][at_z[z]][y][x].at[n] != value(sample, t, z - 1, y, x, n);
        if (last(z, block, NZ)) ROW wrong += in_z[t][at_z[z + 2]][y][x].at[n] != value(sample, t, z + 1, y, x, n);
      }
  }
  return wrong;
}

const XaccLqcdFaces VERSION = {{NT, NZ, NY, NX}, prepare_faces, write_face, start_face, finish_face, wrong_values};
