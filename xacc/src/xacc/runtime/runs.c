/* Below array: which elements of a section are the caller's. */
#include "internal.h"

xacc_runs xacc_runs_of(const char *where, const xacc_template *t, int axis, const char *name, xacc_triplet x, int given, long lo,
                       long len, long step) {
  long lb = t->lb[axis], ub = t->ub[axis];
  if (step == 0) xacc_fail(where, "template %s: the section has the step 0.", t->name);
  if (!(given & XACC_LOW)) lo = step > 0 ? lb : ub;
  if (!(given & XACC_LENGTH)) len = step > 0 ? (ub - lo + step) / step : (lo - lb) / -step + 1;
  if (len < 0) xacc_fail(where, "template %s: the section has the length %ld; lengths start at 0.", t->name, len);
  xacc_conform(where, t->name, len, name, x.len);
  long last = lo + (len - 1) * step;
  if (len > 0 && (lo < lb || lo > ub || last < lb || last > ub))
    xacc_fail(where, "template %s: the section from %ld to %ld leaves its bounds %ld to %ld.", t->name, lo, last, lb, ub);
  return (xacc_runs){.t = t, .axis = axis, .base = lo, .step = step, .len = len};
}

xacc_runs xacc_runs_along(const xacc_template *t, int axis, xacc_triplet x, long offset) {
  return (xacc_runs){.t = t, .axis = axis, .base = x.lo + offset, .step = x.step, .len = x.len};
}

int xacc_runs_next(xacc_runs *r) {
  const xacc_template *t = r->t;
  if (!t->nodes->member) return 0;
  long me = xacc_coordinate(t, r->axis), lb = t->lb[r->axis], ub = t->ub[r->axis];
  while (r->at < r->len) {
    long i = r->base + r->at * r->step, lo, hi;
    if (i < lb || i > ub) { /* an element beside the template is on no node */
      r->at++;
      continue;
    }
    long owner = xacc_block_at(t, r->axis, i, &lo, &hi);
    long n = r->step > 0 ? (hi - 1 - i) / r->step + 1 : (i - lo) / -r->step + 1;
    if (n > r->len - r->at) n = r->len - r->at;
    r->lo = r->at;
    r->hi = r->at += n;
    if (owner == me) return 1;
  }
  return 0;
}
