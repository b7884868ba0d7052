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

/* The first of first, first + step, ... inside of [lo,hi), ascending (step > 0) or descending. */
static long aligned(long first, long step, long lo, long hi) {
  if (step > 0) return xacc_align_up(first, step, lo);
  return -xacc_align_up(-first, -step, 1 - hi);
}

/* An empty range is 1 to 0, or 0 to 1 descending: no number below 0, which an unsigned variable takes for a large one. */
static void clip(long lo, long hi, long first, long last, long step, int inclusive, long *begin, long *end) {
  *begin = aligned(first, step, lo, hi);
  if (step > 0) {
    long stop = hi - 1 < last ? hi - 1 : last;
    if (*begin > stop) *begin = 1, stop = 0;
    *end = inclusive ? stop : stop + 1;
  } else {
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
  local(t, axis, offset, &lo, &hi); /* of a cyclic dimension the whole range; the body asks for the owner */
  widen(&lo, &hi, expand, first, last, step, &from, &to);
  clip(lo, hi, from, to, step, inclusive, begin, end);
}

/* The last index on the caller's part, whatever the first; below 0 it is 0 where the variable is unsigned. */
static long stop_of(long lo, long hi, long last, long step, int unsigned_) {
  if (step < 0) return lo > last ? lo : last;
  long stop = hi - 1 < last ? hi - 1 : last;
  return unsigned_ && stop < 0 ? 0 : stop;
}

/* xacc_begin is asked once, xacc_end at every iteration: an empty range begins just after its end. */
long xacc_begin(const xacc_template *t, int axis, long offset, long first, long last, long step, int unsigned_) {
  long lo, hi;
  local(t, axis, offset, &lo, &hi);
  long begin = aligned(first, step, lo, hi), stop = stop_of(lo, hi, last, step, 0), shown = stop_of(lo, hi, last, step, unsigned_);
  if (step > 0) return begin > stop ? shown + 1 : begin;
  return begin < stop ? shown - 1 : begin;
}

long xacc_end(const xacc_template *t, int axis, long offset, long last, long step, int inclusive, int unsigned_) {
  long lo, hi;
  local(t, axis, offset, &lo, &hi);
  long stop = stop_of(lo, hi, last, step, unsigned_);
  if (inclusive) return stop;
  return step > 0 ? stop + 1 : stop - 1;
}

/* The bounds of a loop that fall on a cyclic dimension at all. */
xacc_blocks xacc_blocks_of(const xacc_template *t, int axis, long offset, long first, long last, long step) {
  long lo = t->lb[axis] - offset, hi = t->ub[axis] + 1 - offset, w = t->width[axis], nodes = t->nodes->size[t->axis[axis]];
  xacc_blocks b = {
      .period = nodes * w, .width = w, .first = aligned(first, step, lo, hi), .last = stop_of(lo, hi, last, step, 0)};
  long mine = lo + xacc_coordinate(t, axis) * w, turns = (b.first - (w - 1) - mine + b.period - 1) / b.period;
  if (step < 0) turns = (b.first - mine) / b.period;
  if (turns < 0) turns = 0;
  b.at = mine + turns * b.period;
  b.shift = turns * w - b.at; /* whole turns lie before the block */
  int none = !t->nodes->member || (step > 0 ? b.first > b.last : b.first < b.last || b.first < mine);
  if (none) b.at = step > 0 ? b.last + 1 : b.last - w;
  if (step < 0) b.period = -b.period;
  b.slide = (step > 0 ? w : -w) - b.period;
  return b;
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
