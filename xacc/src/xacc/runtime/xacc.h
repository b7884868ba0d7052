/* What translated programs call. No MPI type appears here, so that a program needs mpi.h only where it calls MPI itself.
   Dimensions: arrays in their C order; nodes and templates with the fastest dimension first (a list in [ ] is reversed by
   the compiler). All indices are global and as written in the program, nodes count from 0. */
#ifndef XACC_H
#define XACC_H
#include <stddef.h>

#include "xmp_desc.h"

#define XACC_DIMS 8

typedef struct xacc_nodes xacc_nodes;
typedef struct xacc_template xacc_template;
typedef struct xacc_set xacc_set; /* ranks that take part in a directive; NULL where the caller is none of them */

enum { XACC_ALL, XACC_OWN, XACC_RANGE };
typedef struct {
  int kind;
  long lo, hi, step; /* hi inclusive; for XACC_RANGE */
} xacc_sub;
#define XACC_FULL {XACC_ALL, 0, 0, 1}
#define XACC_SELF {XACC_OWN, 0, 0, 1}
#define XACC_TO(lo, hi, step) {XACC_RANGE, lo, hi, step}
#define XACC_TEXT_(x) #x
#define XACC_TEXT(x) XACC_TEXT_(x)
#define XACC_HERE __FILE__ ":" XACC_TEXT(__LINE__)

enum { XACC_STAR, XACC_BLOCK, XACC_CYCLIC, XACC_GBLOCK };
typedef struct {
  int kind;
  long width;      /* block(n), cyclic(n); 0: not given */
  const void *map; /* gblock */
  size_t map_size; /* of one entry of map */
} xacc_format;

/* A distributed array. `ext` and `first` are read by generated code: local extents, and the global index of local 0. */
typedef struct xacc_array {
  int n;
  size_t elem;
  int type; /* as XACC_TYPE names it */
  long size[XACC_DIMS], lo[XACC_DIMS], hi[XACC_DIMS]; /* global extent; owned [lo,hi) */
  long first[XACC_DIMS], ext[XACC_DIMS];
  long below[XACC_DIMS], above[XACC_DIMS]; /* shadow widths; of a full shadow all that others own */
  int axis[XACC_DIMS];                     /* dimension of the template, -1: collapsed */
  long offset[XACC_DIMS];
  long cycle[XACC_DIMS], width[XACC_DIMS], start[XACC_DIMS]; /* cyclic: width * nodes, width, offset - lower bound; with a full
                                                                shadow one block that is longer than any array */
  int full[XACC_DIMS], cyclic;
  const xacc_template *t;
  const char *name;
  void *base, *origin;
  void **holder; /* of a file-scope array: where its origin is kept */
  struct xacc_plan *plans, *init; /* init: of reflect_init */
  unsigned char *state; /* --check: one byte an element */
  struct xacc_array *next;
  int owner; /* of the storage */
  struct xacc_window *window;
  struct xacc_array *whole; /* the same memory as an array that each node has whole where its shadow is full */
  long made_by[8 + 11 * XACC_DIMS]; /* what it was made from: an array that is made again like this gets its storage and plans */
} xacc_array;

/* The program. */
void xacc_start(int *argc, char ***argv);
/* File-scope directives, run in this order by xacc_start. Those of a group wait until it is started (xacc_embed.h). */
void xacc_register(void (*init)(void), const char *group);
#ifndef XACC_GROUP
#define XACC_GROUP 0
#endif
#define XACC_INIT(f) \
  __attribute__((constructor)) static void f##_(void) { xacc_register(f, XACC_GROUP); }
_Noreturn void xacc_fail(const char *where, const char *format, ...) __attribute__((format(printf, 2, 3)));
#include "serial/xacc_section.h"

/* Mapping. `where` is "file:line". */
enum { XACC_ENTIRE, XACC_EXECUTING, XACC_PART };
xacc_nodes *xacc_nodes_new(const char *where, const char *name, int square, int n, const long *size, int from,
                           const xacc_nodes *part_of, const xacc_sub *part);
/* Those dimensions of a part of nodes that `kept` names, as nodes. */
xacc_nodes *xacc_nodes_part(const char *where, const char *name, int square, const xacc_nodes *part_of, const xacc_sub *part, unsigned kept);
/* bounds: lower, upper (inclusive) of each dimension. */
xacc_template *xacc_template_new(const char *where, const char *name, int square, int n, const long *bounds,
                                 xacc_nodes *nodes, const xacc_format *format);
/* A template whose shape or blocks come by template_fix: a shared one of the file scope, or new at each entry of its block. */
xacc_template *xacc_template_open(const char *where, const char *name, int square, int n, xacc_nodes *nodes, int shared);
void xacc_template_fix(const char *where, xacc_template *t, const long *bounds, const xacc_format *format);
xacc_template *xacc_template_now(const char *where, const xacc_template *t);
xacc_template *xacc_template_of_nodes(const xacc_nodes *nodes, long origin);
#define XACC_ELEMENT(x) sizeof(x), XACC_TYPE(x)
enum { XACC_COLLAPSED = -1, XACC_NO_SHADOW = 0 };
typedef struct {
  int axis; /* of the template, or XACC_COLLAPSED */
  long offset, below, above;
  int full;
} xacc_align;
typedef struct {
  int axis;
  long index;
} xacc_fixed; /* with t[i][3]: the 3 */
/* holder: NULL for automatic arrays. own: this unit defines the array, so its storage is made here. */
xacc_array *xacc_array_new(const char *where, const char *name, void **holder, int own, size_t elem, int type, int n,
                           const long *size, const xacc_template *t, const xacc_align *align, int nfixed,
                           const xacc_fixed *fixed);
/* The array that a caller passed; it must be mapped as the parameter says. */
xacc_array *xacc_parameter(const char *where, const char *name, const void *address, size_t elem, int type, int n,
                           const long *size, const xacc_template *t, const xacc_align *align);
void xacc_array_release(xacc_array **a);
#define XACC_SCOPED __attribute__((cleanup(xacc_array_release)))

static inline void *xacc_view(const xacc_array *a) { return a->holder ? *a->holder : a->origin; }
/* An array that comes by xmp_malloc, here or in another file. */
xacc_array *xacc_elsewhere(const char *where, const char *name, const void *origin);
static inline xacc_array *xacc_there(const char *where, const char *name, xacc_array *a, const void *origin) {
  return a ? a : xacc_elsewhere(where, name, origin);
}
/* local_alias: the first element of the caller's part with its halo. bytes: of what the pointer points to, an element or rows of it. */
void *xacc_alias(const char *where, const char *name, const xacc_array *a, size_t bytes);
static inline long xacc_ext(const xacc_array *a, int d) { return a->ext[d]; }
/* Local subscript: of a cyclic dimension always, of the others where origins are not shifted. */
static inline long xacc_cyclic(const xacc_array *a, int d, long i) {
  i += a->start[d];
  return i / a->cycle[d] * a->width[d] + i % a->width[d];
}
static inline long xacc_local(const xacc_array *a, int d, long i) {
  return a->cycle[d] ? xacc_cyclic(a, d, i) : i - a->first[d];
}

/* OpenACC sections: the caller's part of a whole dimension, or of the global indices first, first + 1, ... (count). */
static inline long xacc_low(const xacc_array *a, int d) { return a->cycle[d] ? 0 : a->first[d]; }
static inline long xacc_part_low(const xacc_array *a, int d, long first, long count) {
  long low = xacc_low(a, d);
  (void)count;
  return first < low ? low : first;
}
static inline long xacc_part(const xacc_array *a, int d, long first, long count) {
  long low = xacc_part_low(a, d, first, count), end = xacc_low(a, d) + a->ext[d];
  if (first + count < end) end = first + count;
  return end > low ? end - low : 0;
}

/* Sets and tasks. */
const xacc_set *xacc_executing(void);
const xacc_set *xacc_on_nodes(const xacc_nodes *nodes, const xacc_sub *s);
const xacc_set *xacc_on_template(const xacc_template *t, const xacc_sub *s);
typedef struct {
  int in, pushed;
} xacc_task;
xacc_task xacc_enter(const xacc_set *on);
void xacc_leave(xacc_task *task);
#define XACC_TASK __attribute__((cleanup(xacc_leave)))

/* Loops. Bounds of the caller's part of first, first + step, ... up to last (inclusive); *end fits the operator of the
   condition: inclusive 1 for <= and >=, 0 for < and >. */
typedef struct {
  long below, above;
  int unbound;
} xacc_expand;
void xacc_span(const xacc_template *t, int axis, long offset, long first, long last, long step, int inclusive,
               const xacc_expand *expand, long *begin, long *end);
/* The same in two calls, for bounds that hold variables of the loops around. */
#define XACC_UNSIGNED(variable) ((__typeof__(variable))-1 > 0)
long xacc_begin(const xacc_template *t, int axis, long offset, long first, long last, long step, int unsigned_);
long xacc_end(const xacc_template *t, int axis, long offset, long last, long step, int inclusive, int unsigned_);
int xacc_mine(const xacc_template *t, int axis, long index); /* does the caller own this element of the template? */
/* The first of first, first + step, ... that is >= lo. */
static inline long xacc_align_up(long first, long step, long lo) {
  return lo <= first ? first : first + (lo - first + step - 1) / step * step;
}
/* A cyclic dimension: block after block of the caller in the order of the loop, and inside of a block a range. */
typedef struct {
  long at, period, width; /* lowest index of the block, from block to block, of a block */
  long first, last;       /* of the whole loop, inside of the template */
  long shift, slide;      /* added to an index of the block: the local subscript of arrays that are aligned alike; to the next block's */
} xacc_blocks;
xacc_blocks xacc_blocks_of(const xacc_template *t, int axis, long offset, long first, long last, long step);
static inline int xacc_blocks_left(xacc_blocks b, long step) { return step > 0 ? b.at <= b.last : b.at + b.width > b.last; }
static inline long xacc_blocks_begin(xacc_blocks b, long step) {
  return step > 0 ? xacc_align_up(b.first, step, b.at) : -xacc_align_up(-b.first, -step, 1 - b.at - b.width);
}
static inline long xacc_blocks_end(xacc_blocks b, long step, int inclusive) {
  long high = b.at + b.width - 1;
  if (step > 0) return (high < b.last ? high : b.last) + !inclusive;
  return (b.at > b.last ? b.at : b.last) - !inclusive;
}
/* Below array: the elements k of a section that are the caller's, run after run [lo,hi). */
typedef struct {
  const xacc_template *t;
  int axis;
  long base, step, len, at, lo, hi; /* element k is index base + k * step of the template; at: where the next run is looked for */
} xacc_runs;
/* Over the triplet given, or the whole dimension; x: the section of the array called name, which must have as many elements. */
xacc_runs xacc_runs_of(const char *where, const xacc_template *t, int axis, const char *name, xacc_triplet x, int given, long lo,
                       long len, long step);
xacc_runs xacc_runs_along(const xacc_template *t, int axis, xacc_triplet x, long offset); /* where the elements themselves are */
int xacc_runs_next(xacc_runs *r);
long xacc_lower(const xacc_template *t, int axis);
/* Rings: margin, and peel_and_wait (core first, then the wait, then the ring). */
typedef struct {
  int n, peel, at, nasync, async[8];
  long out_lo[XACC_DIMS], out_hi[XACC_DIMS], in_lo[XACC_DIMS], in_hi[XACC_DIMS], lo[XACC_DIMS], hi[XACC_DIMS];
} xacc_ring;
void xacc_ring_dim(xacc_ring *ring, const xacc_template *t, int axis, long offset, long first, long last,
                   const xacc_expand *expand);
int xacc_ring_next(xacc_ring *ring);

/* Communication. */
enum { XACC_SUM = 1, XACC_PROD, XACC_BAND, XACC_BOR, XACC_BXOR, XACC_LAND, XACC_LOR, XACC_MAX, XACC_MIN,
       XACC_FIRSTMAX, XACC_FIRSTMIN, XACC_LASTMAX, XACC_LASTMIN };
#define XACC_TYPE(x)                                                                                              \
  _Generic((x), char: 1, signed char: 2, unsigned char: 3, short: 4, unsigned short: 5, int: 6, unsigned: 7,      \
           long: 8, unsigned long: 9, long long: 10, unsigned long long: 11, float: 12, double: 13,               \
           long double: 14, float _Complex: 15, double _Complex: 16, _Bool: 17, default: 0)
typedef struct {
  void *value;
  long count;
  int type;
} xacc_location;
typedef struct {
  void *value, *initial;
  long count;
  int type, op, locations;
  xacc_location location[8];
} xacc_reduction;
xacc_reduction xacc_reduction_begin(const char *where, void *value, long count, int type, int op, int locations,
                                    const xacc_location *location);
void xacc_reduction_forget(xacc_reduction *r); /* the value before the loop, which its body overwrites */
void xacc_reduction_end(xacc_reduction *r, const xacc_set *set);
/* The nodes over which a loop on these dimensions (bits of axes) of the template shares its iterations. */
const xacc_set *xacc_loop_set(const xacc_template *t, unsigned axes);
void xacc_reduce(const char *where, void *value, long count, int type, int op, int locations,
                 const xacc_location *location, const xacc_set *set, int async);
void xacc_reduce_array(const char *where, const xacc_array *a, int type, int op, const xacc_set *set);
/* from: the set whose first member is the root; NULL: `no_from`, the first of `on`. */
void xacc_bcast(const char *where, void *value, size_t bytes, int has_from, const xacc_set *from, const xacc_set *on,
                int async);
const xacc_set *xacc_from_nodes(const xacc_nodes *nodes, const xacc_sub *s);
const xacc_set *xacc_from_template(const xacc_template *t, const xacc_sub *s);
void xacc_barrier(const xacc_set *set);

/* gmove: left = right between any two mappings. A side is a distributed array, or memory of the caller with its extents. */
typedef struct {
  const char *name;
  xacc_array *array;
  void *base;
  size_t elem;
  int n;
  long extent[XACC_DIMS]; /* of memory; -1: not known */
  xacc_triplet at[XACC_DIMS];
  int section[XACC_DIMS]; /* 0: an index */
  int turned;             /* of two dimensions the second comes first */
} xacc_side;
enum { XACC_COLLECTIVE, XACC_IN, XACC_OUT };
void xacc_gmove(const char *where, xacc_side left, xacc_side right, int mode, int async);
#ifdef XACC_ONE_SIDED /* a program with gmove in or out: its arrays lie in windows */
extern int xacc_one_sided;
__attribute__((constructor)) static void xacc_want_windows(void) { xacc_one_sided = 1; }
#endif
/* What the caller has sent to others since the start, and the plans it has made: for tests. */
long xacc_gmove_bytes(void);
long xacc_gmove_messages(void);
long xacc_gmove_plans(void);

/* Halos. width: below, above, periodic of each dimension; NULL: the whole shadow. */
enum { XACC_ORTHOGONAL = 1, XACC_NOWAIT = 2, XACC_DEVICE = 4 };
typedef struct {
  long below, above;
  int periodic;
} xacc_width;
void xacc_reflect(const char *where, xacc_array *a, const xacc_width *width, int flags, int async);
void xacc_reduce_shadow(const char *where, xacc_array *a, const xacc_width *width, int flags, int async, int type);
void xacc_reflect_init(const char *where, xacc_array *a, const xacc_width *width, int flags);
void xacc_reflect_do(const char *where, xacc_array *a, int flags, int async);
void xacc_wait(int async);

/* --check: the address of an element after its index was looked at. mode: 'r' read, 'w' write, 'b' both, 'a' address. */
void *xacc_at(xacc_array *a, const char *where, int mode, int n, ...);
long xacc_index(xacc_array *a, const char *where, int d, long i);
/* A loop over these global ranges wrote the array: halos that it did not write itself are stale now. */
typedef struct {
  int known; /* 0: any index; 1: range */
  long lo, hi, step;
} xacc_written;
void xacc_stale(xacc_array *a, const xacc_written *w);
static inline xacc_written xacc_written_of(xacc_triplet x) {
  long last = x.lo + (x.len - 1) * x.step;
  xacc_written w = {1, x.step > 0 ? x.lo : last, x.step > 0 ? last : x.lo, x.step > 0 ? x.step : -x.step};
  return w;
}

/* Sections: what stands under a directive with the clause profile. A program that measures by itself says whom to tell. */
typedef struct xacc_section {
  const char *name, *where;
  long calls;
  double seconds, since;
  void *tag; /* whatever the hook keeps here */
  struct xacc_section *next;
} xacc_section;
void xacc_sections_to(void (*told)(xacc_section *s, int begins));
xacc_section *xacc_section_begin(xacc_section *s);
void xacc_section_end(xacc_section **open);
#define XACC_TIMED __attribute__((unused, cleanup(xacc_section_end))) /* clang takes it for unused */

/* Numbers for tests and --explain. */
long xacc_communicators(void);

/* What follows a loop stands on its last line, which compilers would take for bad indentation. */
#pragma GCC diagnostic ignored "-Wmisleading-indentation"
#ifndef _OPENACC /* directives of the source that this translation is without */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#endif
#endif
