/* Templates and their distribution over nodes. */
#include "internal.h"

static xacc_template *all;

static long entry(const xacc_format *f, long i) {
  switch (f->map_size) {
    case 8: return (long)((const int64_t *)f->map)[i];
    case 2: return ((const int16_t *)f->map)[i];
    default: return ((const int32_t *)f->map)[i];
  }
}

static int same(const xacc_template *a, const xacc_template *b) {
  if (a->n != b->n || a->square != b->square || a->nodes != b->nodes || strcmp(a->name, b->name)) return 0;
  for (int k = 0; k < a->n; k++) {
    if (a->lb[k] != b->lb[k] || a->ub[k] != b->ub[k] || a->kind[k] != b->kind[k] || a->width[k] != b->width[k] ||
        a->axis[k] != b->axis[k])
      return 0;
    if (a->bound[k] &&
        memcmp(a->bound[k], b->bound[k], sizeof(long) * (size_t)(a->nodes->size[a->axis[k]] + 1)))
      return 0;
  }
  return 1;
}

static void distribute(const char *where, xacc_template *t, int k, const xacc_format *f) {
  long size = t->ub[k] - t->lb[k] + 1, nodes = t->nodes->size[t->axis[k]];
  if (f->kind == XACC_GBLOCK) {
    long at = t->lb[k];
    t->bound[k] = xacc_alloc(sizeof(long) * (size_t)(nodes + 1));
    for (long i = 0; i < nodes; i++) {
      long n = entry(f, i);
      if (n < 0) xacc_fail(where, "template %s: block %ld of gblock has the size %ld.", t->name, i, n);
      t->bound[k][i] = at > t->ub[k] ? t->ub[k] + 1 : at;
      at += n;
    }
    if (at <= t->ub[k])
      xacc_fail(where, "template %s: the blocks of gblock hold %ld of its %ld elements; make their sum %ld.", t->name,
                at - t->lb[k], size, size);
    t->bound[k][nodes] = t->ub[k] + 1;
    return;
  }
  long least = (size + nodes - 1) / nodes;
  if (f->kind == XACC_CYCLIC)
    t->width[k] = f->width ? f->width : 1;
  else
    t->width[k] = f->width ? f->width : least;
  if (f->width < 0 || t->width[k] < 1) xacc_fail(where, "template %s: a width of %ld; widths start at 1.", t->name, f->width);
  if (f->kind == XACC_BLOCK && t->width[k] < least)
    xacc_fail(where, "template %s: %ld blocks of %ld hold fewer than its %ld elements; block(n) needs n >= %ld.",
              t->name, nodes, t->width[k], size, least);
}

xacc_template *xacc_template_new(const char *where, const char *name, int square, int n, const long *bounds,
                                 xacc_nodes *nodes, const xacc_format *format) {
  xacc_template *t = xacc_alloc(sizeof *t);
  int axis = 0;
  t->n = n;
  t->square = square;
  t->name = name;
  t->nodes = nodes;
  for (int k = 0; k < n; k++) {
    t->lb[k] = bounds[2 * k];
    t->ub[k] = bounds[2 * k + 1];
    t->kind[k] = format[k].kind;
    if (t->ub[k] < t->lb[k]) xacc_fail(where, "template %s: bounds %ld to %ld hold nothing.", name, t->lb[k], t->ub[k]);
    t->axis[k] = format[k].kind == XACC_STAR ? -1 : axis++;
    if (t->axis[k] >= nodes->n)
      xacc_fail(where, "template %s has more distributed dimensions than nodes %s has dimensions (%d).", name,
                nodes->name, nodes->n);
    if (t->axis[k] >= 0) distribute(where, t, k, &format[k]);
  }
  if (axis != nodes->n)
    xacc_fail(where, "template %s distributes %d dimensions and nodes %s has %d; they must be as many.", name, axis,
              nodes->name, nodes->n);
  for (xacc_template *p = all; p; p = p->next)
    if (same(p, t)) {
      for (int k = 0; k < n; k++) free(t->bound[k]);
      free(t);
      return p;
    }
  t->next = all;
  return all = t;
}

xacc_template *xacc_template_of_nodes(const xacc_nodes *nodes, long origin) {
  long bounds[2 * XACC_DIMS];
  xacc_format format[XACC_DIMS];
  memset(format, 0, sizeof format);
  for (int d = 0; d < nodes->n; d++) {
    bounds[2 * d] = origin;
    bounds[2 * d + 1] = origin + nodes->size[d] - 1;
    format[d].kind = XACC_BLOCK;
  }
  return xacc_template_new(NULL, nodes->name, nodes->square, nodes->n, bounds, (xacc_nodes *)nodes, format);
}

long xacc_coordinate(const xacc_template *t, int axis) { return t->axis[axis] < 0 ? 0 : t->nodes->me[t->axis[axis]]; }

void xacc_range(const xacc_template *t, int axis, long coordinate, long *lo, long *hi) {
  *lo = t->lb[axis];
  *hi = t->ub[axis] + 1;
  if (t->kind[axis] == XACC_GBLOCK) {
    *lo = t->bound[axis][coordinate];
    *hi = t->bound[axis][coordinate + 1];
  } else if (t->kind[axis] == XACC_BLOCK) {
    long end = t->ub[axis] + 1;
    *lo = t->lb[axis] + coordinate * t->width[axis];
    *hi = *lo + t->width[axis];
    if (*lo > end) *lo = end;
    if (*hi > end) *hi = end;
  }
}

long xacc_owner(const xacc_template *t, int axis, long index) {
  long i = index - t->lb[axis], nodes;
  if (t->axis[axis] < 0) return 0;
  nodes = t->nodes->size[t->axis[axis]];
  switch (t->kind[axis]) {
    case XACC_CYCLIC: return i / t->width[axis] % nodes;
    case XACC_GBLOCK:
      for (long c = 0; c < nodes; c++)
        if (index < t->bound[axis][c + 1]) return c;
      return nodes - 1;
    default: return i / t->width[axis] < nodes ? i / t->width[axis] : nodes - 1;
  }
}

int xacc_mine(const xacc_template *t, int axis, long index) {
  if (!t->nodes->member || index < t->lb[axis] || index > t->ub[axis]) return 0;
  return t->axis[axis] < 0 || xacc_owner(t, axis, index) == t->nodes->me[t->axis[axis]];
}

long xacc_block_at(const xacc_template *t, int axis, long index, long *lo, long *hi) {
  long owner = xacc_owner(t, axis, index);
  xacc_range(t, axis, owner, lo, hi);
  if (t->kind[axis] == XACC_CYCLIC) {
    *lo = index - (index - t->lb[axis]) % t->width[axis];
    *hi = *lo + t->width[axis];
  }
  return owner;
}

long xacc_lower(const xacc_template *t, int axis) { return t->lb[axis]; }

static xacc_template *opens;

xacc_template *xacc_template_open(const char *where, const char *name, int square, int n, xacc_nodes *nodes, int shared) {
  for (xacc_template *t = opens; t; t = t->next)
    if (shared ? t->open == 2 && t->n == n && t->nodes == nodes && !strcmp(t->name, name) : t->open == 1 && !strcmp(t->where, where) && !strcmp(t->name, name)) {
      if (!shared) t->fixed = NULL, t->nodes = nodes;
      return t;
    }
  xacc_template *t = xacc_alloc(sizeof *t);
  t->n = n;
  t->square = square;
  t->nodes = nodes;
  t->name = name;
  t->where = where;
  t->open = shared ? 2 : 1;
  t->next = opens;
  return opens = t;
}

void xacc_template_fix(const char *where, xacc_template *t, const long *bounds, const xacc_format *format) {
  if (t->fixed) xacc_fail(where, "template %s is fixed twice; its shape stays as it is.", t->name);
  t->fixed = xacc_template_new(where, t->name, t->square, t->n, bounds, t->nodes, format);
}

xacc_template *xacc_template_now(const char *where, const xacc_template *t) {
  if (!t->fixed) xacc_fail(where, "template %s is used before its shape is known; put template_fix before, where all nodes execute it.", t->name);
  return t->fixed;
}

/* The same for arrays aligned with them. */
void xacc_array_range(const xacc_array *a, int d, long coordinate, long *lo, long *hi) {
  if (a->axis[d] < 0) {
    *lo = 0;
    *hi = a->size[d];
    return;
  }
  xacc_range(a->t, a->axis[d], coordinate, lo, hi);
  *lo -= a->offset[d];
  *hi -= a->offset[d];
  if (*lo < 0) *lo = 0;
  if (*lo > a->size[d]) *lo = a->size[d];
  if (*hi > a->size[d]) *hi = a->size[d];
  if (*hi < *lo) *hi = *lo;
}

void xacc_array_fixed(const xacc_array *a, long *coordinate) {
  const long *from = a->made_by + 4 + 6 * a->n;
  for (long i = 0; i < a->made_by[3]; i++, from += 2)
    if (a->t->axis[from[0]] >= 0) coordinate[a->t->axis[from[0]]] = xacc_owner(a->t, (int)from[0], from[1]);
}
