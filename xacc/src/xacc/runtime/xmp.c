/* The inquiry functions of xmp.h. */
#include "xmp.h"

#include "internal.h"

int xmp_num_nodes(void) { return xacc_executing()->count; }
int xmp_node_num(void) { return xacc_executing()->me + 1; }
int xmp_all_num_nodes(void) { return (xacc_open(), xacc_size); }
int xmp_all_node_num(void) { return (xacc_open(), xacc_rank + 1); }
int xmpc_num_nodes(void) { return xmp_num_nodes(); }
int xmpc_node_num(void) { return xmp_node_num() - 1; }
int xmpc_all_num_nodes(void) { return xmp_all_num_nodes(); }
int xmpc_all_node_num(void) { return xmp_all_node_num() - 1; }
int xmpc_this_image(void) { return xmpc_node_num(); }
int xmp_this_image(void) { return xmp_node_num(); }
int xmpc_num_images(void) { return xmp_num_nodes(); }
int xmp_num_images(void) { return xmp_num_nodes(); }
double xmp_wtime(void) { return (xacc_open(), MPI_Wtime()); }
double xmp_wtick(void) { return (xacc_open(), MPI_Wtick()); }
void xmp_barrier(void) { xacc_barrier(xacc_executing()); }
void xmp_sync_memory(const int *status) { (void)status; }
void xmp_sync_all(const int *status) {
  (void)status;
  xmp_barrier();
}
int xmp_test_async(int async_id) { return xacc_test(async_id); }
void xmp_exit(int status) { exit(status); }
MPI_Comm xmp_get_mpi_comm(void) { return xacc_comm(xacc_executing()); }
void xmp_init_mpi(int *argc, char ***argv) { xacc_start(argc, argv); }
void xmp_finalize_mpi(void) {}
void (xmp_init)(int *argc, char ***argv) { xacc_start(argc, argv); }
void xmp_init_comm(MPI_Comm comm) { xacc_start_on(comm); }
void xmp_finalize(void) {}

#define NODES const xacc_nodes *p = d
#define TEMPLATE const xacc_template *t = d; \
  if (t->open && !t->fixed) return XMP_UNDEFINED; \
  if (t->open) t = t->fixed
#define ARRAY const xacc_array *a = d
#define CHECK(n) \
  if (dim < 1 || dim > (n)) return XMP_UNDEFINED

int xmp_nodes_ndims(xmp_desc_t d, int *ndims) {
  NODES;
  *ndims = p->n;
  return 0;
}

int xmp_nodes_index(xmp_desc_t d, int dim, int *index) {
  NODES;
  CHECK(p->n);
  *index = (int)p->me[dim - 1] + 1;
  return p->member ? 0 : XMP_UNDEFINED;
}

int xmp_nodes_size(xmp_desc_t d, int dim, int *size) {
  NODES;
  CHECK(p->n);
  *size = (int)p->size[dim - 1];
  return 0;
}

int xmp_nodes_rank(xmp_desc_t d, int *rank) {
  NODES;
  *rank = p->set->me + 1;
  return p->member ? 0 : XMP_UNDEFINED;
}

int xmp_nodes_comm(xmp_desc_t d, void **comm) {
  NODES;
  *(MPI_Comm *)comm = xacc_comm(p->set);
  return 0;
}

int xmp_nodes_attr(xmp_desc_t d, int *attr) {
  NODES;
  *attr = p->part_of ? XMP_EQUIVALENCE_NODES : p->set->count == xacc_size ? XMP_ENTIRE_NODES : XMP_EXECUTING_NODES;
  return 0;
}

int xmp_nodes_equiv(xmp_desc_t d, xmp_desc_t *dn, int lb[], int ub[], int st[]) {
  NODES;
  *dn = (xmp_desc_t)p->part_of;
  if (!p->part_of) return XMP_UNDEFINED;
  int n = p->part_of->n;
  for (int i = 0; i < n; i++) {
    const xacc_sub *s = &p->part[i];
    long size = p->part_of->size[i];
    lb[i] = s->kind == XACC_RANGE ? (int)s->lo + 1 : 1;
    ub[i] = s->kind == XACC_RANGE ? (int)s->hi + 1 : (int)size;
    st[i] = s->kind == XACC_RANGE ? (int)s->step : 1;
  }
  return 0;
}

int xmp_template_fixed(xmp_desc_t d, int *fixed) {
  const xacc_template *t = d;
  *fixed = t && (!t->open || t->fixed);
  return 0;
}

int xmp_template_ndims(xmp_desc_t d, int *ndims) {
  TEMPLATE;
  *ndims = t->n;
  return 0;
}

int xmp_template_lbound(xmp_desc_t d, int dim, int *lbound) {
  TEMPLATE;
  CHECK(t->n);
  *lbound = (int)t->lb[dim - 1];
  return 0;
}

int xmp_template_ubound(xmp_desc_t d, int dim, int *ubound) {
  TEMPLATE;
  CHECK(t->n);
  *ubound = (int)t->ub[dim - 1];
  return 0;
}

int xmp_template_gsize(xmp_desc_t d, int dim) {
  TEMPLATE;
  CHECK(t->n);
  int k = dim - 1;
  return (int)(t->ub[k] - t->lb[k] + 1);
}

int xmp_template_lsize(xmp_desc_t d, int dim) {
  TEMPLATE;
  CHECK(t->n);
  int k = dim - 1, count = 0;
  for (long i = t->lb[k]; i <= t->ub[k]; i++) count += xacc_mine(t, k, i);
  return count;
}

int xmp_dist_format(xmp_desc_t d, int dim, int *format) {
  static const int name[] = {XMP_NOT_DISTRIBUTED, XMP_BLOCK, XMP_CYCLIC, XMP_GBLOCK};
  TEMPLATE;
  CHECK(t->n);
  *format = name[t->kind[dim - 1]];
  return 0;
}

int xmp_dist_blocksize(xmp_desc_t d, int dim, int *blocksize) {
  TEMPLATE;
  CHECK(t->n);
  int k = dim - 1;
  *blocksize = t->kind[k] == XACC_GBLOCK ? -1 : t->kind[k] == XACC_STAR ? (int)(t->ub[k] - t->lb[k] + 1) : (int)t->width[k];
  return 0;
}

int xmp_dist_stride(xmp_desc_t d, int dim) {
  TEMPLATE;
  CHECK(t->n);
  int k = dim - 1;
  return t->kind[k] == XACC_CYCLIC ? (int)(t->width[k] * t->nodes->size[t->axis[k]]) : 1;
}

int xmp_dist_nodes(xmp_desc_t d, xmp_desc_t *dn) {
  TEMPLATE;
  *dn = t->nodes;
  return 0;
}

int xmp_dist_axis(xmp_desc_t d, int dim, int *axis) {
  TEMPLATE;
  CHECK(t->n);
  int k = t->axis[dim - 1];
  if (k < 0) return XMP_UNDEFINED;
  *axis = k + 1;
  return 0;
}

int xmp_dist_gblockmap(xmp_desc_t d, int dim, int *map) {
  TEMPLATE;
  CHECK(t->n);
  int k = dim - 1;
  if (t->kind[k] != XACC_GBLOCK) return XMP_UNDEFINED;
  for (long i = 0; i < t->nodes->size[t->axis[k]]; i++) map[i] = (int)(t->bound[k][i + 1] - t->bound[k][i]);
  return 0;
}

int xmp_align_axis(xmp_desc_t d, int dim, int *axis) {
  ARRAY;
  CHECK(a->n);
  int k = a->axis[dim - 1];
  if (k < 0) return XMP_UNDEFINED;
  *axis = k + 1;
  return 0;
}

int xmp_align_offset(xmp_desc_t d, int dim, int *offset) {
  ARRAY;
  CHECK(a->n);
  if (a->axis[dim - 1] < 0) return XMP_UNDEFINED;
  *offset = (int)a->offset[dim - 1];
  return 0;
}

int xmp_align_replicated(xmp_desc_t d, int dim, int *replicated) {
  ARRAY;
  CHECK(a->t->n);
  int k = dim - 1;
  *replicated = 1;
  for (int i = 0; i < a->n; i++)
    if (a->axis[i] == k) *replicated = 0;
  return 0;
}

int xmp_align_template(xmp_desc_t d, xmp_desc_t *dt) {
  ARRAY;
  *dt = (xmp_desc_t)a->t;
  return 0;
}

int xmp_array_ndims(xmp_desc_t d, int *ndims) {
  ARRAY;
  *ndims = a->n;
  return 0;
}

int xmp_array_lbound(xmp_desc_t d, int dim, int *lbound) {
  ARRAY;
  CHECK(a->n);
  *lbound = 0;
  return 0;
}

int xmp_array_ubound(xmp_desc_t d, int dim, int *ubound) {
  ARRAY;
  CHECK(a->n);
  *ubound = (int)a->size[dim - 1] - 1;
  return 0;
}

static long owned(const xacc_array *a, int d) {
  long count = 0;
  if (!a->cycle[d]) return a->hi[d] - a->lo[d];
  for (long i = a->lo[d]; i < a->hi[d]; i++) count += xacc_mine(a->t, a->axis[d], i + a->offset[d]);
  return count;
}

int xmp_array_lbound_global(xmp_desc_t d, int dim, int *lbound) {
  ARRAY;
  CHECK(a->n);
  *lbound = (int)a->lo[dim - 1];
  return owned(a, dim - 1) ? 0 : XMP_UNDEFINED;
}

int xmp_array_ubound_global(xmp_desc_t d, int dim, int *ubound) {
  ARRAY;
  CHECK(a->n);
  *ubound = (int)a->hi[dim - 1] - 1;
  return owned(a, dim - 1) ? 0 : XMP_UNDEFINED;
}

int xmp_array_lbound_local(xmp_desc_t d, int dim, int *lbound) {
  ARRAY;
  CHECK(a->n);
  *lbound = (int)a->below[dim - 1];
  return 0;
}

int xmp_array_ubound_local(xmp_desc_t d, int dim, int *ubound) {
  ARRAY;
  CHECK(a->n);
  *ubound = (int)(a->below[dim - 1] + owned(a, dim - 1)) - 1;
  return 0;
}

/* The same bounds under the names of older programs, which return them. */
static int given(int (*ask)(xmp_desc_t, int, int *), xmp_desc_t d, int dim) {
  int bound = XMP_UNDEFINED;
  ask(d, dim, &bound);
  return bound;
}
int xmp_array_gcllbound(xmp_desc_t d, int dim) { return given(xmp_array_lbound_global, d, dim); }
int xmp_array_gclubound(xmp_desc_t d, int dim) { return given(xmp_array_ubound_global, d, dim); }
int xmp_array_lcllbound(xmp_desc_t d, int dim) { return given(xmp_array_lbound_local, d, dim); }
int xmp_array_lclubound(xmp_desc_t d, int dim) { return given(xmp_array_ubound_local, d, dim); }
int xmp_array_gcglbound(xmp_desc_t d, int dim) { return given(xmp_array_lbound, d, dim); }
int xmp_array_gcgubound(xmp_desc_t d, int dim) { return given(xmp_array_ubound, d, dim); }

size_t xmp_array_type_size(xmp_desc_t d) {
  ARRAY;
  return a->elem;
}

int xmp_array_gsize(xmp_desc_t d, int dim) {
  ARRAY;
  CHECK(a->n);
  return (int)a->size[dim - 1];
}

int xmp_array_lsize(xmp_desc_t d, int dim, int *lsize) {
  ARRAY;
  CHECK(a->n);
  *lsize = (int)owned(a, dim - 1);
  return 0;
}

int xmp_array_laddr(xmp_desc_t d, void **laddr) {
  ARRAY;
  const xacc_array *s = a->owner ? a : xacc_find(xacc_view(a));
  if (!s) return XMP_UNDEFINED;
  *laddr = s->base;
  return 0;
}

int xmp_array_lshadow(xmp_desc_t d, int dim, int *lshadow) {
  ARRAY;
  CHECK(a->n);
  *lshadow = (int)a->below[dim - 1];
  return 0;
}

int xmp_array_ushadow(xmp_desc_t d, int dim, int *ushadow) {
  ARRAY;
  CHECK(a->n);
  *ushadow = (int)a->above[dim - 1];
  return 0;
}

/* The coordinate, from 1, of the node that owns the index in this dimension. */
int xmp_array_owner(xmp_desc_t d, int ndims, int index[], int dim) {
  ARRAY;
  CHECK(a->n);
  (void)ndims;
  int k = a->axis[dim - 1];
  if (k < 0 || a->t->axis[k] < 0) return XMP_UNDEFINED;
  return (int)xacc_owner(a->t, k, index[dim - 1] + a->offset[dim - 1]) + 1;
}

int xmp_array_lead_dim(xmp_desc_t d, int size[]) {
  ARRAY;
  for (int i = 0; i < a->n; i++) size[i] = (int)a->ext[i];
  return 0;
}

int xmp_array_gtol_dim(xmp_desc_t d, int dim, int g_idx, int *l_idx) {
  ARRAY;
  CHECK(a->n);
  if (g_idx < 0 || g_idx >= a->size[dim - 1]) return XMP_UNDEFINED;
  *l_idx = (int)xacc_local(a, dim - 1, g_idx);
  return 0;
}

int (xmp_array_gtol)(xmp_desc_t d, int g_idx[], int l_idx[]) {
  ARRAY;
  for (int i = 0; i < a->n; i++) l_idx[i] = (int)xacc_local(a, i, g_idx[i]);
  return 0;
}
