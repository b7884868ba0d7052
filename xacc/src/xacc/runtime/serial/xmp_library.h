/* The library procedures of the serial program: arrays of one and two dimensions, whole in memory. */
#ifndef XMP_LIBRARY_H
#define XMP_LIBRARY_H
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const void *base;
  int n, type;
  size_t row, elem; /* row: bytes of an element of the first dimension */
  long size[2];
} xmp_serial_array;

/* Type and dimensions of an array from its first element's address: 100 * dimensions + type. */
#define XMP_KIND(n, T) T *: 100 + (n), T (*)[]: 200 + (n)
#define XMP_KIND_OF(a)                                                                                                       \
  _Generic(&(a)[0], XMP_KIND(1, char), XMP_KIND(2, signed char), XMP_KIND(3, unsigned char), XMP_KIND(4, short),             \
           XMP_KIND(5, unsigned short), XMP_KIND(6, int), XMP_KIND(7, unsigned), XMP_KIND(8, long), XMP_KIND(9, unsigned long), \
           XMP_KIND(10, long long), XMP_KIND(11, unsigned long long), XMP_KIND(12, float), XMP_KIND(13, double),             \
           XMP_KIND(14, long double), XMP_KIND(15, float _Complex), XMP_KIND(16, double _Complex), XMP_KIND(17, _Bool), default: 0)
#define xmp_desc_of(a)                                                                                    \
  ((xmp_desc_t)&(xmp_serial_array){                                                                       \
      (a), XMP_KIND_OF(a) / 100, XMP_KIND_OF(a) % 100, sizeof(*(a)), 0, {(long)(sizeof(a) / sizeof(*(a))), 0}})

#define XMP_EACH_INTEGER(X)                                                                                                   \
  X(1, char) X(2, signed char) X(3, unsigned char) X(4, short) X(5, unsigned short) X(6, int) X(7, unsigned) X(8, long)      \
  X(9, unsigned long) X(10, long long) X(11, unsigned long long) X(17, _Bool)
#define XMP_EACH_REAL(X) X(12, float) X(13, double) X(14, long double)
#define XMP_EACH_COMPLEX(X) X(15, float _Complex) X(16, double _Complex)

static inline xmp_serial_array xmp_serial_of(const char *name, xmp_desc_t d) {
  xmp_serial_array a = *(const xmp_serial_array *)d;
  if (a.n == 0) {
    fprintf(stderr, "%s: without directives it takes arrays of one or two dimensions.\n", name);
    exit(3);
  }
  switch (a.type) {
#define XMP_SIZE(n, T) \
  case n: a.elem = sizeof(T); break;
    XMP_EACH_INTEGER(XMP_SIZE) XMP_EACH_REAL(XMP_SIZE) XMP_EACH_COMPLEX(XMP_SIZE)
  }
  a.size[1] = a.n == 2 ? (long)(a.row / a.elem) : 1;
  return a;
}

static inline char *xmp_serial_at(const xmp_serial_array *a, long k) { return (char *)a->base + (size_t)k * a->elem; }

static inline long xmp_serial_integer(const xmp_serial_array *a, long k) {
  const void *v = xmp_serial_at(a, k);
  switch (a->type) {
#define XMP_INTEGER(n, T) \
  case n: return (long)*(const T *)v;
    XMP_EACH_INTEGER(XMP_INTEGER)
  }
  return 0;
}

static inline void xmp_transpose(xmp_desc_t to, xmp_desc_t from, int option) {
  xmp_serial_array x = xmp_serial_of("xmp_transpose", to), a = xmp_serial_of("xmp_transpose", from);
  (void)option;
  for (long i = 0; i < x.size[0]; i++)
    for (long j = 0; j < x.size[1]; j++) memcpy(xmp_serial_at(&x, i * x.size[1] + j), xmp_serial_at(&a, j * a.size[1] + i), x.elem);
}

static inline void xmp_matmul(xmp_desc_t to, xmp_desc_t left, xmp_desc_t right) {
  xmp_serial_array x = xmp_serial_of("xmp_matmul", to), a = xmp_serial_of("xmp_matmul", left), b = xmp_serial_of("xmp_matmul", right);
  memset((void *)x.base, 0, (size_t)(x.size[0] * x.size[1]) * x.elem);
  for (long i = 0; i < x.size[0]; i++)
    for (long k = 0; k < a.size[1]; k++)
      for (long j = 0; j < x.size[1]; j++) {
        void *r = xmp_serial_at(&x, i * x.size[1] + j);
        const void *v = xmp_serial_at(&a, i * a.size[1] + k), *w = xmp_serial_at(&b, k * b.size[1] + j);
        switch (x.type) {
#define XMP_TIMES(n, T) \
  case n: *(T *)r = (T)(*(T *)r + *(const T *)v * *(const T *)w); break;
          XMP_EACH_INTEGER(XMP_TIMES) XMP_EACH_REAL(XMP_TIMES) XMP_EACH_COMPLEX(XMP_TIMES)
        }
      }
}

static inline void xmp_serial_pick(const char *name, xmp_desc_t to, xmp_desc_t from, int scatter, va_list list) {
  xmp_serial_array x = xmp_serial_of(name, to), a = xmp_serial_of(name, from), index[2];
  const xmp_serial_array *of = scatter ? &x : &a, *all = scatter ? &a : &x;
  for (int d = 0; d < of->n; d++) index[d] = xmp_serial_of(name, va_arg(list, xmp_desc_t));
  for (long k = 0; k < all->size[0] * all->size[1]; k++) {
    long at = 0;
    for (int d = 0; d < of->n; d++) at = at * of->size[d] + xmp_serial_integer(&index[d], k);
    memcpy(xmp_serial_at(&x, scatter ? at : k), xmp_serial_at(&a, scatter ? k : at), x.elem);
  }
}

static inline void xmp_gather(xmp_desc_t to, xmp_desc_t from, ...) {
  va_list list;
  va_start(list, from);
  xmp_serial_pick("xmp_gather", to, from, 0, list);
  va_end(list);
}

static inline void xmp_scatter(xmp_desc_t to, xmp_desc_t from, ...) {
  va_list list;
  va_start(list, from);
  xmp_serial_pick("xmp_scatter", to, from, 1, list);
  va_end(list);
}

static inline void xmp_serial_pack(const char *name, xmp_desc_t v, xmp_desc_t a, xmp_desc_t mask, int unpack) {
  xmp_serial_array packed = xmp_serial_of(name, v), all = xmp_serial_of(name, a), chosen = xmp_serial_of(name, mask ? mask : a);
  for (long k = 0, n = 0; k < all.size[0] * all.size[1]; k++) {
    if (mask && !xmp_serial_integer(&chosen, k)) continue;
    char *one = xmp_serial_at(&packed, n++), *other = xmp_serial_at(&all, k);
    memcpy(unpack ? other : one, unpack ? one : other, all.elem);
  }
}

static inline void xmp_pack(xmp_desc_t v, xmp_desc_t a, xmp_desc_t mask) { xmp_serial_pack("xmp_pack", v, a, mask, 0); }
static inline void xmp_pack_mask(xmp_desc_t v, xmp_desc_t a, xmp_desc_t mask) { xmp_pack(v, a, mask); }
static inline void xmp_pack_nomask(xmp_desc_t v, xmp_desc_t a) { xmp_pack(v, a, NULL); }
static inline void xmp_unpack(xmp_desc_t a, xmp_desc_t v, xmp_desc_t mask) { xmp_serial_pack("xmp_unpack", v, a, mask, 1); }
static inline void xmp_unpack_mask(xmp_desc_t a, xmp_desc_t v, xmp_desc_t mask) { xmp_unpack(a, v, mask); }
static inline void xmp_unpack_nomask(xmp_desc_t a, xmp_desc_t v) { xmp_unpack(a, v, NULL); }

#define XMP_ORDER(n, T)                                                               \
  static inline int xmp_order_##n(const void *x, const void *y) {                     \
    return (*(const T *)x > *(const T *)y) - (*(const T *)x < *(const T *)y);         \
  }
XMP_EACH_INTEGER(XMP_ORDER)
XMP_EACH_REAL(XMP_ORDER)

static inline void xmp_sort_up(xmp_desc_t from, xmp_desc_t to) {
  xmp_serial_array a = xmp_serial_of("xmp_sort_up", from), b = xmp_serial_of("xmp_sort_up", to);
  memmove((void *)b.base, a.base, (size_t)a.size[0] * a.elem);
  switch (a.type) {
#define XMP_SORT(n, T) \
  case n: qsort((void *)b.base, (size_t)b.size[0], b.elem, xmp_order_##n); break;
    XMP_EACH_INTEGER(XMP_SORT) XMP_EACH_REAL(XMP_SORT)
  }
}

static inline void xmp_sort_down(xmp_desc_t from, xmp_desc_t to) {
  xmp_serial_array b = xmp_serial_of("xmp_sort_down", to);
  char last[16];
  xmp_sort_up(from, to);
  for (long i = 0, j = b.size[0] - 1; i < j; i++, j--) {
    memcpy(last, xmp_serial_at(&b, i), b.elem);
    memcpy(xmp_serial_at(&b, i), xmp_serial_at(&b, j), b.elem);
    memcpy(xmp_serial_at(&b, j), last, b.elem);
  }
}
#endif
