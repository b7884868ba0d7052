/* --check: every access to a distributed array is looked at. One byte an element says whether a halo element is stale. */
#include <stdarg.h>

#include "internal.h"

enum { FRESH, STALE, WRITTEN };

static xacc_array *storage(xacc_array *a) {
  xacc_array *s = a->owner ? a : xacc_find(xacc_view(a));
  if (!s) xacc_fail(NULL, "array %s has no storage: the file that defines it was not translated.", a->name);
  return s;
}

static void outside(const xacc_array *a, const char *where, int d, long i) {
  xacc_fail(where, "array %s: index %ld of dimension %d is not on this node, which holds %ld to %ld%s.", a->name, i,
            d + 1, a->lo[d] - a->below[d], a->hi[d] + a->above[d] - 1,
            a->below[d] || a->above[d] ? " with its shadow" : "");
}

long xacc_index(xacc_array *a, const char *where, int d, long i) {
  a = storage(a);
  if (a->cycle[d] && a->full[d]) {
    if (i < 0 || i >= a->size[d]) xacc_fail(where, "array %s: index %ld of dimension %d is none of 0 to %ld.", a->name, i, d + 1, a->size[d] - 1);
  } else if (a->cycle[d]) {
    long g = i + a->start[d];
    if (i < 0 || i >= a->size[d] ||
        g / a->width[d] % (a->cycle[d] / a->width[d]) != xacc_coordinate(a->t, a->axis[d]))
      xacc_fail(where, "array %s: index %ld of dimension %d belongs to another node.", a->name, i, d + 1);
  } else if (i < a->first[d] || i >= a->hi[d] + a->above[d])
    outside(a, where, d, i);
#ifdef XACC_NO_SHIFT
  return xacc_local(a, d, i);
#else
  return a->cycle[d] ? xacc_cyclic(a, d, i) : i;
#endif
}

void *xacc_at(xacc_array *a, const char *where, int mode, int n, ...) {
  va_list list;
  long at = 0, index[XACC_DIMS];
  int halo = 0;
  a = storage(a);
  va_start(list, n);
  for (int d = 0; d < n; d++) {
    long i = index[d] = va_arg(list, long);
    xacc_index(a, where, d, i);
    if (!a->cycle[d] && (i < a->lo[d] || i >= a->hi[d])) halo = 1;
    at = at * a->ext[d] + xacc_local(a, d, i);
  }
  va_end(list);
  if (halo) {
    if (mode == 'w' || (mode == 'b' && a->state[at] != STALE))
      a->state[at] = WRITTEN;
    else if (mode != 'a' && a->state[at] == STALE) {
      char text[200];
      int used = 0;
      for (int d = 0; d < n; d++) used += snprintf(text + used, sizeof text - (size_t)used, "[%ld]", index[d]);
      xacc_fail(where, "array %s: element %s is read from the shadow, but its owner has written it since the last reflect.",
                a->name, text);
    }
  }
  return (char *)a->base + (size_t)at * a->elem;
}

typedef int visitor(const xacc_array *a, const long *index, unsigned char old, const void *data);

static void visit(xacc_array *a, visitor *f, const void *data) {
  long at[XACC_DIMS] = {0}, index[XACC_DIMS];
  for (size_t k = 0;; k++) {
    int halo = 0;
    for (int d = 0; d < a->n; d++) {
      index[d] = a->first[d] + at[d];
      halo |= index[d] < a->lo[d] || index[d] >= a->hi[d];
    }
    if (halo) a->state[k] = (unsigned char)f(a, index, a->state[k], data);
    int d = a->n - 1;
    for (; d >= 0 && ++at[d] == a->ext[d]; d--) at[d] = 0;
    if (d < 0) return;
  }
}

static int written_elsewhere(const xacc_array *a, const long *index, unsigned char old, const void *data) {
  const xacc_written *w = data;
  if (old == WRITTEN) return FRESH;
  for (int d = 0; d < a->n; d++) {
    long i = index[d];
    if (i < 0 || i >= a->size[d]) { /* round the end: stale only for those that reflect it periodically */
      i = (i % a->size[d] + a->size[d]) % a->size[d];
      if (!(a->full[d] & 4)) return old;
    }
    if (w[d].known && (i < w[d].lo || i > w[d].hi || (i - w[d].lo) % w[d].step)) return old;
  }
  return STALE;
}

void xacc_stale(xacc_array *a, const xacc_written *w) {
  a = storage(a);
  if (a->cyclic || xacc_both(a->t->nodes->set, xacc_executing()) != a->t->nodes->set) return;
  visit(a, written_elsewhere, w);
}

struct region {
  const long *lo, *hi;
  const int *along; /* goes with its halo, as fresh as that is */
};

static int refreshed(const xacc_array *a, const long *index, unsigned char old, const void *data) {
  const struct region *r = data;
  for (int d = 0; d < a->n; d++)
    if (index[d] < r->lo[d] || index[d] >= r->hi[d]) return old;
  long at = 0;
  int halo = 0;
  for (int d = 0; d < a->n; d++) {
    long i = index[d];
    if (a->lo[d] == a->hi[d]) return FRESH;
    if (!r->along[d]) i = i < a->lo[d] ? a->lo[d] : i >= a->hi[d] ? a->hi[d] - 1 : i;
    halo |= i < a->lo[d] || i >= a->hi[d];
    at = at * a->ext[d] + (i - a->first[d]);
  }
  return halo && a->state[at] == STALE ? old : FRESH;
}

void xacc_check_fresh(xacc_array *a, const long *lo, const long *hi, const int *along) {
  struct region r = {lo, hi, along};
  if (lo) visit(a, refreshed, &r);
}
