/* xmp_sort_up and xmp_sort_down: samples share the values out between the nodes, each sorts its share. */
#include "library.h"

#define ORDER(code, T)                                                                  \
  static int order_##code(const void *x, const void *y) {                              \
    return (*(const T *)x > *(const T *)y) - (*(const T *)x < *(const T *)y);           \
  }
#define ORDER_REAL(code, T) /* what is no number comes last */                          \
  static int order_##code(const void *x, const void *y) {                              \
    T v = *(const T *)x, w = *(const T *)y;                                             \
    return v != v || w != w ? (v != v) - (w != w) : (v > w) - (v < w);                  \
  }
XACC_EACH_INTEGER(ORDER)
XACC_EACH_REAL(ORDER_REAL)

typedef int order(const void *, const void *);
static order *const orders[] = {
#define ENTRY(code, T) [code] = order_##code,
    XACC_EACH_INTEGER(ENTRY) XACC_EACH_REAL(ENTRY)};

/* As many values as nodes but one, which share out all values about evenly. */
static char *limits(const char *values, long n, size_t elem, order *before) {
  const xacc_set *set = xacc_executing();
  MPI_Comm comm = xacc_comm(set);
  int count = set->count, some = n < count ? (int)n : count, all = 0;
  int *many = xacc_alloc(sizeof *many * (size_t)count), *at = xacc_alloc(sizeof *at * (size_t)count);
  MPI_Allgather(&some, 1, MPI_INT, many, 1, MPI_INT, comm);
  for (int r = 0; r < count; r++) {
    at[r] = all;
    all += many[r];
  }
  char *mine = xacc_alloc((size_t)(some + 1) * elem), *samples = xacc_alloc((size_t)(all + count) * elem);
  char *chosen = xacc_alloc((size_t)count * elem);
  for (int i = 0; i < some; i++) memcpy(mine + (size_t)i * elem, values + (size_t)((2 * i + 1) * n / (2 * some)) * elem, elem);
  MPI_Datatype type;
  MPI_Type_contiguous((int)elem, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Allgatherv(mine, some, type, samples, many, at, type, comm);
  MPI_Type_free(&type);
  qsort(samples, (size_t)all, elem, before);
  for (int r = 1; r < count && all; r++) memcpy(chosen + (size_t)(r - 1) * elem, samples + (size_t)((long)r * all / count) * elem, elem);
  free(many);
  free(at);
  free(mine);
  free(samples);
  return chosen;
}

static void sort(const char *name, xmp_desc_t from, xmp_desc_t to, int down) {
  xacc_array *a = xacc_library_array(name, from), *b = xacc_library_array(name, to);
  const xacc_set *set = xacc_executing();
  xacc_library_alike(name, a, b);
  if (a->n != 1) xacc_fail(NULL, "%s: array %s has %d dimensions; 1 is needed.", name, a->name, a->n);
  if (a->type != b->type || !orders[a->type])
    xacc_fail(NULL, "%s: arrays %s and %s must have elements of one real type.", name, a->name, b->name);
  size_t elem = a->elem;
  order *before = orders[a->type];
  xacc_places here = xacc_places_of(a), there = xacc_places_of(b);
  xacc_elements own = xacc_places_own(&here, 1);
  char *values = xacc_alloc((size_t)(own.n + 1) * elem);
  for (long i = 0; i < own.n; i++) memcpy(values + (size_t)i * elem, xacc_library_at(a, own.index[i]), elem);
  qsort(values, (size_t)own.n, elem, before);
  char *limit = limits(values, own.n, elem, before);
  int *node = xacc_alloc(sizeof *node * (size_t)(own.n + 1)), r = 0;
  for (long i = 0; i < own.n; i++) {
    while (r < set->count - 1 && before(values + (size_t)i * elem, limit + (size_t)r * elem) >= 0) r++;
    node[i] = r;
  }
  xacc_post post = xacc_post_of(node, own.n);
  char *share = xacc_post_send(&post, values, elem);
  qsort(share, (size_t)post.m, elem, before);
  long first = 0, *position = xacc_alloc(sizeof *position * (size_t)(post.m + 1));
  MPI_Exscan(&post.m, &first, 1, MPI_LONG, MPI_SUM, post.comm);
  if (set->me == 0) first = 0;
  for (long i = 0; i < post.m; i++) position[i] = down ? a->size[0] - 1 - first - i : first + i;
  xacc_library_put(name, &there, position, post.m, share);
  xacc_post_free(&post);
  xacc_places_free(&here);
  xacc_places_free(&there);
  free(own.index);
  free(values);
  free(limit);
  free(node);
  free(share);
  free(position);
}

void xmp_sort_up(xmp_desc_t from, xmp_desc_t to) { sort("xmp_sort_up", from, to, 0); }
void xmp_sort_down(xmp_desc_t from, xmp_desc_t to) { sort("xmp_sort_down", from, to, 1); }
