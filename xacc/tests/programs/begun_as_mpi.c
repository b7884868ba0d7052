// A program that begins as MPI and hands its communicator to xmp_init, and xmp_array_gtol in both forms.
// ranks: 1 2 4
#include <mpi.h>
#include <stdio.h>
#include <xmp.h>
#define N 12
int a[N][3];
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic(2)] onto p
#pragma xmp align a[i][*] with t[i]

int main(int argc, char **argv) {
  int rank, ranks, bad = 0, sum = 0;
  MPI_Init(&argc, &argv);
  xmp_init(MPI_COMM_WORLD);
  xmp_init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank + 1 != xmp_node_num() || ranks != xmp_num_nodes()) bad++;
#pragma xmp loop on t[i] reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    int g[2] = {i, 2}, l[2] = {-1, -1}, one = -1;
    xmp_array_gtol(xmp_desc_of(a), g, l);
    if (xmp_array_gtol(xmp_desc_of(a), 1, i, &one) != 0 || one != l[0] || one != i / (2 * ranks) * 2 + i % 2) bad++;
    if (xmp_array_gtol(xmp_desc_of(a), 2, 2, &one) != 0 || one != 2 || l[1] != 2) bad++;
    sum += i;
  }
  int none = 0;
  if (xmp_array_gtol(xmp_desc_of(a), 3, 0, &none) == 0 || xmp_array_gtol(xmp_desc_of(a), 1, N, &none) == 0) bad++;
  if (sum != N * (N - 1) / 2) bad++;
  xmp_finalize();
  printf(bad ? "ERROR\n" : "PASS\n");
  MPI_Finalize();
  return bad;
}
