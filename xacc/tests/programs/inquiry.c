// ranks: 12
// Inquiry functions, lower bounds of templates, a template on part of the nodes.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "xmp.h"
int a[6][9][16], a1[6], b[6];
int m[2] = {2, 4};
#pragma xmp nodes p(2,3,2)
#pragma xmp nodes p1(2) = p(1:2,1,1)
#pragma xmp nodes s[4][3]
#pragma xmp template t(0:15,-2:3,1:9)
#pragma xmp template t1(0:5)
#pragma xmp distribute t(block, cyclic, cyclic(2)) onto p
#pragma xmp distribute t1(gblock(m)) onto p1
#pragma xmp align a[i0][i1][i2] with t(i2,i0-2,i1+1)
#pragma xmp align a1[i0] with t1(i0)
#pragma xmp align b[i0] with t(i0,*,*)
#pragma xmp shadow a[0][0][1:2]
static int bad;
static void same(int got, int want, int line) {
  if (got != want) {
    printf("line %d: %d, expected %d\n", line, got, want);
    bad++;
  }
}
#define SAME(g, w) same(g, w, __LINE__)
int main(int argc, char *argv[]) {
  xmp_desc_t dt, dn, dt1, dn1, up;
  int v, lb[3], ub[3], st[3], map[2], g[3] = {3, 3, 3}, l[3];
  MPI_Init(&argc, &argv);
  xmp_align_template(xmp_desc_of(a), &dt);
  xmp_dist_nodes(dt, &dn);
  xmp_align_template(xmp_desc_of(a1), &dt1);
  xmp_dist_nodes(dt1, &dn1);
  if (xmp_node_num() == 11) {
    xmp_nodes_ndims(dn, &v), SAME(v, 3);
    xmp_nodes_index(dn, 1, &v), SAME(v, 1);
    xmp_nodes_index(dn, 2, &v), SAME(v, 3);
    xmp_nodes_index(dn, 3, &v), SAME(v, 2);
    xmp_nodes_size(dn, 2, &v), SAME(v, 3);
    xmp_nodes_equiv(dn1, &up, lb, ub, st), SAME(lb[0], 1), SAME(ub[0], 2), SAME(st[0], 1);
    SAME(up == xmp_desc_of(p), 1);
    xmp_nodes_size(xmp_desc_of(s), 1, &v), SAME(v, 3);
    xmp_nodes_index(xmp_desc_of(s), 2, &v), SAME(v, 4);
    xmp_template_fixed(dt, &v), SAME(v, 1);
    xmp_template_ndims(dt, &v), SAME(v, 3);
    xmp_template_lbound(dt, 2, &v), SAME(v, -2);
    xmp_template_ubound(dt, 3, &v), SAME(v, 9);
    xmp_dist_format(dt, 1, &v), SAME(v, XMP_BLOCK);
    xmp_dist_format(dt, 3, &v), SAME(v, XMP_CYCLIC);
    xmp_dist_blocksize(dt, 1, &v), SAME(v, 8);
    xmp_dist_blocksize(dt, 2, &v), SAME(v, 1);
    xmp_dist_blocksize(dt, 3, &v), SAME(v, 2);
    xmp_dist_gblockmap(dt1, 1, map), SAME(map[0], 2), SAME(map[1], 4);
    xmp_dist_axis(dt, 3, &v), SAME(v, 3);
    xmp_align_axis(xmp_desc_of(a), 1, &v), SAME(v, 2);
    xmp_align_axis(xmp_desc_of(a), 2, &v), SAME(v, 3);
    xmp_align_axis(xmp_desc_of(a), 3, &v), SAME(v, 1);
    xmp_align_offset(xmp_desc_of(a), 2, &v), SAME(v, 1);
    xmp_align_replicated(xmp_desc_of(b), 1, &v), SAME(v, 0);
    xmp_align_replicated(xmp_desc_of(b), 2, &v), SAME(v, 1);
    xmp_array_ndims(xmp_desc_of(a), &v), SAME(v, 3);
    xmp_array_lbound(xmp_desc_of(a), 1, &v), SAME(v, 0);
    xmp_array_ubound(xmp_desc_of(a), 3, &v), SAME(v, 15);
    xmp_array_lshadow(xmp_desc_of(a), 3, &v), SAME(v, 1);
    xmp_array_ushadow(xmp_desc_of(a), 3, &v), SAME(v, 2);
    xmp_array_gtol(xmp_desc_of(a), g, l), SAME(l[0], 1), SAME(l[1], 1), SAME(l[2], 4);
    xmp_array_lsize(xmp_desc_of(a), 1, &v), SAME(v, 2);
    SAME(xmp_array_gsize(xmp_desc_of(a), 2), 9);
    SAME((int)xmp_array_type_size(xmp_desc_of(a)), 4);
  }
#pragma xmp reduction(+:bad)
  int size;
  MPI_Comm_size(xmp_get_mpi_comm(), &size);
  if (size != 12 || xmp_all_num_nodes() != 12) bad++;
  if (xmp_node_num() == 1) printf("%s %d\n", bad ? "ERROR" : "PASS", bad);
  MPI_Finalize();
  return bad != 0;
}
