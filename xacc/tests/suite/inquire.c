// ranks: 4
// Inquiry functions by both numberings, in tasks too.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(2,2)
#pragma xmp template t(1:20,0:29)
#pragma xmp distribute t(cyclic(3),block) onto p
int a[30][20];
#pragma xmp align a[j][i] with t(i+1,j)
#pragma xmp shadow a[1:2][0]
static int wrong;
#define IS(x, y) ((x) == (y) ? 0 : (wrong++, printf("line %d\n", __LINE__)))
int main(void) {
  int v, me = xmp_node_num(), size, rank;
  double t0 = xmp_wtime();
  xmp_desc_t dt, dp;
  IS(xmp_num_nodes(), 4);
  IS(xmp_all_num_nodes(), 4);
  IS(xmp_all_node_num(), me);
  IS(xmpc_all_node_num(), me - 1);
  IS(xmpc_node_num(), me - 1);
  xmp_align_template(xmp_desc_of(a), &dt);
  xmp_dist_nodes(dt, &dp);
  IS(dt, xmp_desc_of(t));
  xmp_nodes_ndims(dp, &v), IS(v, 2);
  xmp_nodes_index(dp, 1, &v), IS(v, (me - 1) % 2 + 1);
  xmp_nodes_index(xmp_desc_of(p), 2, &v), IS(v, (me - 1) / 2 + 1);
  xmp_nodes_rank(dp, &v), IS(v, me);
  xmp_template_lbound(dt, 1, &v), IS(v, 1);
  xmp_template_ubound(dt, 2, &v), IS(v, 29);
  xmp_dist_format(dt, 1, &v), IS(v, XMP_CYCLIC);
  xmp_dist_format(dt, 2, &v), IS(v, XMP_BLOCK);
  xmp_dist_blocksize(dt, 1, &v), IS(v, 3);
  xmp_dist_axis(dt, 2, &v), IS(v, 2);
  xmp_align_axis(xmp_desc_of(a), 1, &v), IS(v, 2);
  xmp_align_offset(xmp_desc_of(a), 2, &v), IS(v, 1);
  xmp_array_lshadow(xmp_desc_of(a), 1, &v), IS(v, 1);
  xmp_array_ushadow(xmp_desc_of(a), 1, &v), IS(v, 2);
  xmp_array_lbound_global(xmp_desc_of(a), 1, &v), IS(v, (me - 1) / 2 * 15);
  xmp_array_ubound_global(xmp_desc_of(a), 1, &v), IS(v, (me - 1) / 2 * 15 + 14);
  MPI_Comm comm = xmp_get_mpi_comm();
  MPI_Comm_size(comm, &size), IS(size, 4);
#pragma xmp task on p(:,2)
  {
    IS(xmp_num_nodes(), 2);
    IS(xmp_node_num(), me - 2);
    IS(xmp_all_node_num(), me);
    comm = xmp_get_mpi_comm();
    MPI_Comm_size(comm, &size), IS(size, 2);
    MPI_Comm_rank(comm, &rank), IS(rank, me - 3);
  }
  xmp_sync_all(&v);
  xmp_barrier();
  IS(xmp_wtime() >= t0 && xmp_wtick() > 0, 1);
#pragma xmp reduction(+:wrong)
  if (xmp_node_num() == 1) printf(wrong ? "ERROR\n" : "PASS\n");
  return wrong != 0;
}
