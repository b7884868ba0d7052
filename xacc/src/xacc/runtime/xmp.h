/* Inquiry functions of XcalableMP. Node numbers count from 1, those of functions that begin with xmpc_ from 0. Dimensions
   count from 1: of arrays in the order of C, of nodes and templates the fastest first, the last of a list in [ ]. */
#ifndef XMP_H
#define XMP_H
#include <mpi.h>
#include <stddef.h>

#include "xmp_desc.h"

#define XMP_FAILURE -2000
#define XMP_UNDEFINED -2001
#define XMP_ENTIRE_NODES 2000
#define XMP_EXECUTING_NODES 2001
#define XMP_PRIMARY_NODES 2002
#define XMP_EQUIVALENCE_NODES 2003
#define XMP_NOT_DISTRIBUTED 2100
#define XMP_BLOCK 2101
#define XMP_CYCLIC 2102
#define XMP_GBLOCK 2103

int xmp_num_nodes(void);
int xmp_node_num(void);
int xmp_all_num_nodes(void);
int xmp_all_node_num(void);
int xmpc_num_nodes(void);
int xmpc_node_num(void);
int xmpc_all_num_nodes(void);
int xmpc_all_node_num(void);
int xmpc_this_image(void);
int xmp_this_image(void);
int xmpc_num_images(void);
int xmp_num_images(void);
double xmp_wtime(void);
double xmp_wtick(void);
void xmp_barrier(void);
void xmp_sync_all(const int *status);
void xmp_sync_memory(const int *status);
int xmp_test_async(int async_id);
void xmp_exit(int status);
MPI_Comm xmp_get_mpi_comm(void);
void xmp_init_mpi(int *argc, char ***argv);
void xmp_finalize_mpi(void);
/* xmp_init(comm) as in the specification, xmp_init(&argc, &argv) as in programs of its first compiler. */
void xmp_init_comm(MPI_Comm comm);
void (xmp_init)(int *argc, char ***argv);
#define XMP_LAST_OF_3(_1, _2, name, ...) name
#define xmp_init(...) XMP_LAST_OF_3(__VA_ARGS__, (xmp_init), xmp_init_comm, )(__VA_ARGS__)
void xmp_finalize(void);

/* a = xmp_malloc(xmp_desc_of(a), extents), and xmp_free(a), of an aligned pointer are translated. */
void *xmp_malloc(xmp_desc_t d, ...);
void xmp_free(void *a);

int xmp_nodes_ndims(xmp_desc_t d, int *ndims);
int xmp_nodes_index(xmp_desc_t d, int dim, int *index);
int xmp_nodes_size(xmp_desc_t d, int dim, int *size);
int xmp_nodes_rank(xmp_desc_t d, int *rank);
int xmp_nodes_comm(xmp_desc_t d, void **comm);
int xmp_nodes_attr(xmp_desc_t d, int *attr);
int xmp_nodes_equiv(xmp_desc_t d, xmp_desc_t *dn, int lb[], int ub[], int st[]);
int xmp_template_fixed(xmp_desc_t d, int *fixed);
int xmp_template_ndims(xmp_desc_t d, int *ndims);
int xmp_template_lbound(xmp_desc_t d, int dim, int *lbound);
int xmp_template_ubound(xmp_desc_t d, int dim, int *ubound);
int xmp_template_gsize(xmp_desc_t d, int dim);
int xmp_template_lsize(xmp_desc_t d, int dim);
int xmp_dist_format(xmp_desc_t d, int dim, int *format);
int xmp_dist_blocksize(xmp_desc_t d, int dim, int *blocksize);
int xmp_dist_stride(xmp_desc_t d, int dim);
int xmp_dist_nodes(xmp_desc_t d, xmp_desc_t *dn);
int xmp_dist_axis(xmp_desc_t d, int dim, int *axis);
int xmp_dist_gblockmap(xmp_desc_t d, int dim, int *map);
int xmp_align_axis(xmp_desc_t d, int dim, int *axis);
int xmp_align_offset(xmp_desc_t d, int dim, int *offset);
int xmp_align_replicated(xmp_desc_t d, int dim, int *replicated);
int xmp_align_template(xmp_desc_t d, xmp_desc_t *dt);
int xmp_array_ndims(xmp_desc_t d, int *ndims);
int xmp_array_lbound(xmp_desc_t d, int dim, int *lbound);
int xmp_array_ubound(xmp_desc_t d, int dim, int *ubound);
int xmp_array_lbound_global(xmp_desc_t d, int dim, int *lbound);
int xmp_array_ubound_global(xmp_desc_t d, int dim, int *ubound);
int xmp_array_lbound_local(xmp_desc_t d, int dim, int *lbound);
int xmp_array_ubound_local(xmp_desc_t d, int dim, int *ubound);
int xmp_array_gcllbound(xmp_desc_t d, int dim);
int xmp_array_gclubound(xmp_desc_t d, int dim);
int xmp_array_lcllbound(xmp_desc_t d, int dim);
int xmp_array_lclubound(xmp_desc_t d, int dim);
int xmp_array_gcglbound(xmp_desc_t d, int dim);
int xmp_array_gcgubound(xmp_desc_t d, int dim);
size_t xmp_array_type_size(xmp_desc_t d);
int xmp_array_gsize(xmp_desc_t d, int dim);
int xmp_array_lsize(xmp_desc_t d, int dim, int *lsize);
int xmp_array_laddr(xmp_desc_t d, void **laddr);
int xmp_array_lshadow(xmp_desc_t d, int dim, int *lshadow);
int xmp_array_ushadow(xmp_desc_t d, int dim, int *ushadow);
/* Each array may be mapped in any way. gather: to(i) = from(index(i)), with an index array for each dimension of from; scatter:
   to(index(i)) = from(i). A mask is an array of integers. */
void xmp_transpose(xmp_desc_t to, xmp_desc_t from, int option);
void xmp_matmul(xmp_desc_t to, xmp_desc_t left, xmp_desc_t right);
void xmp_gather(xmp_desc_t to, xmp_desc_t from, ...);
void xmp_scatter(xmp_desc_t to, xmp_desc_t from, ...);
void xmp_pack(xmp_desc_t to, xmp_desc_t from, xmp_desc_t mask);
void xmp_pack_mask(xmp_desc_t to, xmp_desc_t from, xmp_desc_t mask);
void xmp_pack_nomask(xmp_desc_t to, xmp_desc_t from);
void xmp_unpack(xmp_desc_t to, xmp_desc_t from, xmp_desc_t mask);
void xmp_unpack_mask(xmp_desc_t to, xmp_desc_t from, xmp_desc_t mask);
void xmp_unpack_nomask(xmp_desc_t to, xmp_desc_t from);
void xmp_sort_up(xmp_desc_t from, xmp_desc_t to);
void xmp_sort_down(xmp_desc_t from, xmp_desc_t to);

int xmp_array_owner(xmp_desc_t d, int ndims, int index[], int dim);
int xmp_array_lead_dim(xmp_desc_t d, int size[]);
/* xmp_array_gtol(d, dim, g, &l) of one dimension as in the specification, (d, g, l) of all as in programs of its first compiler. */
int xmp_array_gtol_dim(xmp_desc_t d, int dim, int g_idx, int *l_idx);
int (xmp_array_gtol)(xmp_desc_t d, int g_idx[], int l_idx[]);
#define XMP_LAST_OF_5(_1, _2, _3, _4, name, ...) name
#define xmp_array_gtol(...) XMP_LAST_OF_5(__VA_ARGS__, xmp_array_gtol_dim, (xmp_array_gtol), )(__VA_ARGS__)
#endif
