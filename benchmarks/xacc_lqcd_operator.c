/* One process of xacc_lqcd_operator.py: the operator of each program, in an order that is drawn anew for each turn.
   Prints the ratio of each to that of the last one: median over the turns, application by application, and ratio of the
   least times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "version.h"
#include "xacc_embed.h"

int xacc_lqcd_nodes_z = 1, xacc_lqcd_packed = 0;
void (*xacc_lqcd_told)(const char*, int) = 0;
extern const XaccLqcdVersion version_xacc, version_serial, version_hand;

enum {
  PROGRAMS = 3,
  APPLICATIONS = 2,
  FRESH = 20
}; /* a turn is an iteration; the solver begins anew before it has converged */
static double *took[PROGRAMS], begun;
static int count[PROGRAMS], current = -1;

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void told(const char* section, int begins) {
  if (current < 0 || strcmp(section, "operator")) return;
  if (begins)
    begun = now();
  else
    took[current][count[current]++] = now() - begun;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  const XaccLqcdVersion* program[PROGRAMS] = {&version_xacc, &version_serial, &version_hand};
  const int turns = atoi(argv[1]), samples = turns * APPLICATIONS;
  MPI_Init(&argc, &argv);
  xacc_sections_named(told);
  xacc_lqcd_told = told;
  srand((unsigned)atoi(argv[2]));
  for (int k = 0; k < PROGRAMS; k++) {
    took[k] = malloc((size_t)samples * sizeof **took);
    program[k]->prepare(MPI_COMM_WORLD);
  }
  for (int turn = -3; turn < turns; turn++) { /* those below 0 warm up */
    int order[PROGRAMS] = {0, 1, 2};
    for (int j = PROGRAMS - 1; j > 0; j--) {
      const int other = rand() % (j + 1), moved = order[j];
      order[j] = order[other];
      order[other] = moved;
    }
    current = -1;
    for (int k = 0; k < PROGRAMS && (turn == -3 || turn % FRESH == 0); k++) program[k]->begin();
    for (int j = 0; j < PROGRAMS; j++) {
      current = turn < 0 ? -1 : order[j];
      program[order[j]]->iterate();
    }
  }
  double *ratio = malloc((size_t)samples * sizeof *ratio), least[PROGRAMS];
  for (int k = 0; k < PROGRAMS; k++) {
    least[k] = took[k][0];
    for (int i = 1; i < samples; i++) least[k] = took[k][i] < least[k] ? took[k][i] : least[k];
  }
  for (int k = 0; k < PROGRAMS - 1; k++) {
    for (int i = 0; i < samples; i++) ratio[i] = took[k][i] / took[PROGRAMS - 1][i];
    qsort(ratio, (size_t)samples, sizeof *ratio, compare);
    printf("%.6f %.6f ", ratio[samples / 2], least[k] / least[PROGRAMS - 1]);
  }
  printf("\n");
  MPI_Finalize();
}
