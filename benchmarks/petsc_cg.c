/* The Poisson equation of the check iccg, solved by PETSc. Compiled and started by solvers_peer.py. */
#include "petsc_solve.h"

int main(int argc, char** argv) {
  PetscInt n = 128, first, last;
  Mat a;
  Vec b;
  PetscInitialize(&argc, &argv, NULL, NULL);
  PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL);
  const PetscInt rows = n * n * n;
  MatCreate(PETSC_COMM_WORLD, &a);
  MatSetSizes(a, PETSC_DECIDE, PETSC_DECIDE, rows, rows);
  MatSetType(a, MATAIJ);
  MatSeqAIJSetPreallocation(a, 7, NULL);
  MatMPIAIJSetPreallocation(a, 7, NULL, 3, NULL);
  MatGetOwnershipRange(a, &first, &last);
  MatCreateVecs(a, NULL, &b);
  for (PetscInt i = first; i < last; ++i) {
    const PetscInt cx = i % n, cy = i / n % n, cz = i / (n * n);
    const PetscInt other[6] = {cz > 0 ? i - n * n : -1, cy > 0 ? i - n : -1,     cx > 0 ? i - 1 : -1,
                               cx + 1 < n ? i + 1 : -1, cy + 1 < n ? i + n : -1, cz + 1 < n ? i + n * n : -1};
    PetscInt column[7], entries = 0;
    PetscScalar value[7], diagonal = 0;
    for (int m = 0; m < 6; ++m) {
      if (other[m] < 0) continue;
      column[entries] = other[m];
      value[entries++] = -1;
      diagonal += 1;
    }
    column[entries] = i;
    value[entries++] = diagonal + (cz + 1 == n ? 2 : 0);
    MatSetValues(a, 1, &i, entries, column, value, INSERT_VALUES);
    VecSetValue(b, i, (PetscScalar)(cx + cy + cz) + 1.5, INSERT_VALUES);
  }
  MatAssemblyBegin(a, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(a, MAT_FINAL_ASSEMBLY);
  VecAssemblyBegin(b);
  VecAssemblyEnd(b);
  MatSetOption(a, MAT_SPD, PETSC_TRUE);
  solve(a, b);
  PetscFinalize();
  return 0;
}
