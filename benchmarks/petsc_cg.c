/* The Poisson equation of the check iccg, solved by PETSc: conjugate gradients with what -pc_type asks for, to the true
   residual 1e-8 (unpreconditioned norm). Compiled and started by solvers_peer.py. Prints iterations, seconds,
   the residual, and median and 10 % quantile of the time of an iteration. */
#include <petscksp.h>
#include <stdlib.h>

#define MOST 10000
static double ended[MOST + 1];

static PetscErrorCode note(KSP solver, PetscInt iteration, PetscReal norm, void* unused) {
  (void)solver, (void)norm, (void)unused;
  if (iteration <= MOST) ended[iteration] = MPI_Wtime();
  return 0;
}

static int ascending(const void* x, const void* y) {
  const double a = *(const double*)x, b = *(const double*)y;
  return (a > b) - (a < b);
}

int main(int argc, char** argv) {
  PetscInt n = 128, first, last, iterations;
  PetscReal of_r, of_b;
  Mat a;
  Vec x, b, r;
  KSP solver;
  PetscInitialize(&argc, &argv, NULL, NULL);
  PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL);
  const PetscInt rows = n * n * n;
  MatCreate(PETSC_COMM_WORLD, &a);
  MatSetSizes(a, PETSC_DECIDE, PETSC_DECIDE, rows, rows);
  MatSetType(a, MATAIJ);
  MatSeqAIJSetPreallocation(a, 7, NULL);
  MatMPIAIJSetPreallocation(a, 7, NULL, 3, NULL);
  MatGetOwnershipRange(a, &first, &last);
  MatCreateVecs(a, &x, &b);
  VecDuplicate(b, &r);
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
  KSPCreate(PETSC_COMM_WORLD, &solver);
  KSPSetOperators(solver, a, a);
  KSPSetType(solver, KSPCG);
  KSPSetTolerances(solver, 1e-8, 0, 1e10, MOST);
  KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED);
  KSPSetFromOptions(solver);
  KSPMonitorSet(solver, note, NULL, NULL);
  KSPSetUp(solver);
  KSPSetUpOnBlocks(solver);
  MPI_Barrier(PETSC_COMM_WORLD);
  double seconds = MPI_Wtime();
  KSPSolve(solver, b, x);
  MPI_Barrier(PETSC_COMM_WORLD);
  seconds = MPI_Wtime() - seconds;
  KSPGetIterationNumber(solver, &iterations);
  for (PetscInt i = 0; i < iterations; ++i) ended[i] = ended[i + 1] - ended[i];
  qsort(ended, (size_t)iterations, sizeof *ended, ascending);
  MatMult(a, x, r);
  VecAYPX(r, -1, b);
  VecNorm(r, NORM_2, &of_r);
  VecNorm(b, NORM_2, &of_b);
  PetscPrintf(PETSC_COMM_WORLD, "%d %.9f %.6e %.9f %.9f\n", (int)iterations, seconds, of_r / of_b,
              ended[iterations / 2], ended[iterations / 10]);
  PetscFinalize();
  return 0;
}
