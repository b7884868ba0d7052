/* Which iterations of a loop are the caller's. */
#include "internal.h"

/* Indices [lo,hi) of the loop that fall on the caller's part of the template. */
static void local(const xacc_template *t, int axis, long offset, long *lo, long *hi) {
  if (!t->nodes->member) {
    *lo = *hi = 0;
    return;
  }
  xacc_range(t, axis, xacc_coordinate(t, axis), lo, hi);
  *lo -= offset;
  *hi -= offset;
}

/* First of first, first + step, ... that is >= lo (ascending) or <= hi (descending). */
static long align_up(long first, long step, long lo) { return lo <= first ? first : first + (lo - first + step - 1) / step * step; }

static void clip(long lo, long hi, long first, long last, long step, int inclusive, long *begin, long *end) {
  if (step > 0) {
    *begin = align_up(first, step, lo);
    long stop = hi - 1 < last ? hi - 1 : last;
    if (*begin > stop) *begin = 0, stop = -1;
    *end = inclusive ? stop : stop + 1;
  } else {
    *begin = -align_up(-first, -step, 1 - hi);
    long stop = lo > last ? lo : last;
    if (*begin < stop) *begin = 0, stop = 1;
    *end = inclusive ? stop : stop - 1;
  }
}

static void widen(long *lo, long *hi, const xacc_expand *e, long first, long last, long step, long *from, long *to) {
  *from = first;
  *to = last;
  if (!e || *lo >= *hi) return;
  *lo -= e->below;
  *hi += e->above;
  if (!e->unbound) return;
  if (step > 0) {
    *from -= (e->below > 0 ? e->below : 0) / step * step;
    *to += e->above > 0 ? e->above : 0;
  } else {
    *from -= (e->above > 0 ? e->above : 0) / step * step;
    *to -= e->below > 0 ? e->below : 0;
  }
}

void xacc_span(const xacc_template *t, int axis, long offset, long first, long last, long step, int inclusive,
               const xacc_expand *expand, long *begin, long *end) {
  long lo, hi, from, to;
  if (t->kind[axis] == XACC_CYCLIC) { /* the whole range; the body asks for its owner */
    lo = t->nodes->member ? t->lb[axis] - offset : 0;
    hi = t->nodes->member ? t->ub[axis] + 1 - offset : 0;
    clip(lo, hi, first, last, step, inclusive, begin, end);
    return;
  }
  local(t, axis, offset, &lo, &hi);
  widen(&lo, &hi, expand, first, last, step, &from, &to);
  clip(lo, hi, from, to, step, inclusive, begin, end);
}

long xacc_begin(const xacc_template *t, int axis, long offset, long first, long step) {
  long begin, end;
  xacc_span(t, axis, offset, first, step > 0 ? 1L << 60 : -(1L << 60), step, 1, NULL, &begin, &end);
  return (step > 0 ? begin > end : begin < end) ? (step > 0 ? 1L << 30 : -(1L << 30)) : begin;
}

long xacc_end(const xacc_template *t, int axis, long offset, long last, long step, int inclusive) {
  long lo, hi;
  if (t->kind[axis] == XACC_CYCLIC) {
    lo = t->lb[axis] - offset;
    hi = t->ub[axis] + 1 - offset;
  } else
    local(t, axis, offset, &lo, &hi);
  if (step > 0) {
    long stop = hi - 1 < last ? hi - 1 : last;
    return inclusive ? stop : stop + 1;
  }
  long stop = lo > last ? lo : last;
  return inclusive ? stop : stop - 1;
}

void xacc_ring_dim(xacc_ring *ring, const xacc_template *t, int axis, long offset, long first, long last,
                   const xacc_expand *e) {
  int d = ring->n++;
  long lo, hi, from = first, to = last, olo, ohi;
  local(t, axis, offset, &lo, &hi);
  olo = lo - e->below;
  ohi = hi + e->above;
  if (lo >= hi) olo = lo, ohi = hi;
  if (e->unbound) {
    from -= e->below > 0 ? e->below : 0;
    to += e->above > 0 ? e->above : 0;
  }
#define CUT(x, y) (x) = (x) < from ? from : (x), (y) = (y) > to + 1 ? to + 1 : (y)
  CUT(olo, ohi);
  from = first, to = last;
  CUT(lo, hi);
  ring->out_lo[d] = olo < lo ? olo : lo;
  ring->out_hi[d] = ohi > hi ? ohi : hi;
  ring->in_lo[d] = olo > lo ? olo : lo;
  ring->in_hi[d] = ohi < hi ? ohi : hi;
}

/* The core (peel_and_wait only), then for each dimension the slabs below and above it: inside the ranges of the
   dimensions before, over the whole ranges of those after. */
int xacc_ring_next(xacc_ring *r) {
  for (;; ) {
    int at = r->at++, empty = 0;
    if (r->peel && at == 1)
      for (int i = 0; i < r->nasync; i++) xacc_wait(r->async[i]);
    if (at > 2 * r->n) return 0;
    if (at == 0 && !r->peel) continue;
    int hollow = 0;
    for (int d = 0; d < r->n; d++) hollow |= r->in_lo[d] >= r->in_hi[d];
    for (int d = 0; d < r->n; d++) {
      int slab = (at - 1) / 2;
      r->lo[d] = at == 0 || d < slab ? r->in_lo[d] : r->out_lo[d];
      r->hi[d] = at == 0 || d < slab ? r->in_hi[d] : r->out_hi[d];
      if (hollow) { /* nothing inside: the ring is the whole box, once */
        empty |= at != 1;
        r->lo[d] = r->out_lo[d];
        r->hi[d] = r->out_hi[d];
      } else if (at && d == slab) {
        if (at % 2)
          r->hi[d] = r->in_lo[d];
        else
          r->lo[d] = r->in_hi[d];
      }
      empty |= r->lo[d] >= r->hi[d];
    }
    if (!empty) return 1;
  }
}
