/* A symmetric positive definite system solved by PETSc's conjugate gradients to the true residual 1e-8 (unpreconditioned
   norm), with the preconditioner that -pc_type asks for. Prints iterations, seconds, the residual, and median and 10 %
   quantile of the time of an iteration. Included by the programs that the benchmarks compile. */
#pragma once
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

static void solve(Mat a, Vec b) {
  PetscInt iterations;
  PetscReal of_r, of_b;
  Vec x, r;
  KSP solver;
  VecDuplicate(b, &x);
  VecDuplicate(b, &r);
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
}
