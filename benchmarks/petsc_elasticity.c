/* The linear elasticity of the check elasticity (n^3 nodes, no distortion), solved by PETSc with a matrix of 3 x 3 blocks
   (BAIJ) and the inverses of its diagonal blocks (-pc_type pbjacobi), which PETSc 3.18 does not have for symmetric
   storage (SBAIJ). Compiled and started by elasticity_peer.py. */
#include "petsc_solve.h"

static const double poisson = 0.3;

/* Stiffness of the unit cube with modulus 1; corners x fastest, displacements of a corner side by side. */
static void stiffness(double k[8][8][3][3]) {
  const double lambda = poisson / ((1 + poisson) * (1 - 2 * poisson)), mu = 0.5 / (1 + poisson);
  for (int point = 0; point < 8; ++point) {
    double slope[8][3];
    for (int a = 0; a < 8; ++a) {
      for (int d = 0; d < 3; ++d) {
        slope[a][d] = 1;
        for (int e = 0; e < 3; ++e) {
          const double at = 0.5 + ((point >> e & 1) ? 0.5 : -0.5) / PetscSqrtReal(3), upper = a >> e & 1;
          slope[a][d] *= e == d ? 2 * upper - 1 : upper * at + (1 - upper) * (1 - at);
        }
      }
    }
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b < 8; ++b) {
        const double *f = slope[a], *g = slope[b], both = f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
        for (int i = 0; i < 3; ++i) {
          for (int j = 0; j < 3; ++j) k[a][b][i][j] += (lambda * f[i] * g[j] + mu * f[j] * g[i] + (i == j) * mu * both) / 8;
        }
      }
    }
  }
}

/* Adds the block of row node i and column node j; displacements that are held neither act nor are acted on. */
static void add(Mat a, PetscInt i, PetscInt j, const PetscInt at_i[3], const PetscInt at_j[3], double block[3][3]) {
  double kept[3][3];
  for (int r = 0; r < 3; ++r) {
    for (int s = 0; s < 3; ++s) {
      const int held = at_i[r] == 0 || at_j[s] == 0;
      kept[r][s] = held && !(i == j && r == s) ? 0 : block[r][s];
    }
  }
  MatSetValuesBlocked(a, 1, &i, 1, &j, &kept[0][0], ADD_VALUES);
}

static void assemble(Mat a, Vec load, PetscInt n, PetscInt first, PetscInt last) {
  static double k[8][8][3][3];
  stiffness(k);
  for (PetscInt i = first; i < last; ++i) {
    const PetscInt at[3] = {i % n, i / n % n, i / (n * n)};
    PetscInt elements = 0;
    for (int corner = 0; corner < 8; ++corner) {
      PetscInt lowest[3];
      int inside = 1;
      for (int d = 0; d < 3; ++d) {
        lowest[d] = at[d] - (corner >> d & 1);
        inside = inside && lowest[d] >= 0 && lowest[d] + 1 < n;
      }
      if (!inside) continue;
      ++elements;
      for (int b = 0; b < 8; ++b) {
        const PetscInt other[3] = {lowest[0] + (b & 1), lowest[1] + (b >> 1 & 1), lowest[2] + (b >> 2 & 1)};
        add(a, i, other[0] + n * (other[1] + n * other[2]), at, other, k[corner][b]);
      }
    }
    if (at[2] + 1 == n) VecSetValue(load, 3 * i + 2, elements / 4.0, INSERT_VALUES);
  }
}

int main(int argc, char** argv) {
  PetscInt n = 65, first, last;
  Mat a;
  Vec load;
  PetscInitialize(&argc, &argv, NULL, NULL);
  PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL);
  const PetscInt nodes = n * n * n;
  PetscInt own = PETSC_DECIDE, all = nodes;
  PetscSplitOwnership(PETSC_COMM_WORLD, &own, &all);
  MatCreate(PETSC_COMM_WORLD, &a);
  MatSetSizes(a, 3 * own, 3 * own, 3 * nodes, 3 * nodes);
  MatSetBlockSize(a, 3);
  MatSetType(a, MATBAIJ);
  MatSeqBAIJSetPreallocation(a, 3, 27, NULL);
  MatMPIBAIJSetPreallocation(a, 3, 27, NULL, 18, NULL);
  MatGetOwnershipRange(a, &first, &last);
  MatCreateVecs(a, NULL, &load);
  assemble(a, load, n, first / 3, last / 3);
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  VecAssemblyBegin(load);
  VecAssemblyEnd(load);
  solve(a, load);
  PetscFinalize();
  return 0;
}
