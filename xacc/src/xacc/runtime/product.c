/* xmp_transpose and xmp_matmul. */
#include "library.h"

static xacc_side whole(const char *name, xacc_array *a) {
  xacc_side s = {.name = a->name, .array = a, .elem = a->elem, .n = a->n};
  if (a->n != 2) xacc_fail(NULL, "%s: array %s has %d dimensions; 2 are needed.", name, a->name, a->n);
  for (int d = 0; d < 2; d++) {
    s.at[d] = (xacc_triplet){0, a->size[d], 1};
    s.section[d] = 1;
  }
  return s;
}

static void same_type(const char *name, const xacc_array *a, const xacc_array *b) {
  if (a->type != b->type || a->elem != b->elem)
    xacc_fail(NULL, "%s: arrays %s and %s have elements of different types.", name, a->name, b->name);
}

void xmp_transpose(xmp_desc_t to, xmp_desc_t from, int option) {
  static const char name[] = "xmp_transpose";
  xacc_array *x = xacc_library_array(name, to), *a = xacc_library_array(name, from);
  xacc_side left = whole(name, x), right = whole(name, a);
  (void)option; /* 1 would allow to overwrite the array that is transposed */
  same_type(name, x, a);
  if (x->size[0] != a->size[1] || x->size[1] != a->size[0])
    xacc_fail(NULL, "%s: array %s has %ld x %ld elements and %s has %ld x %ld.", name, x->name, x->size[0], x->size[1], a->name, a->size[0],
              a->size[1]);
  right.turned = 1;
  xacc_gmove(NULL, left, right, XACC_COLLECTIVE, -1);
}

/* Rows (or columns) of an array as those of x lie, whole in the other dimension. */
static xacc_array *beside(const char *name, xacc_array *x, xacc_array *a, int d) {
  xacc_align align[2] = {{-1, 0, 0, 0, 0}, {-1, 0, 0, 0, 0}};
  xacc_fixed fixed[XACC_DIMS];
  const long *from = x->made_by + 4 + 6 * x->n;
  int n = (int)x->made_by[3];
  for (int i = 0; i < n; i++) fixed[i] = (xacc_fixed){(int)from[2 * i], from[2 * i + 1]};
  align[d] = (xacc_align){x->axis[d], x->offset[d], 0, 0, 0};
  xacc_array *made = xacc_array_new(NULL, name, NULL, 1, a->elem, a->type, 2, a->size, x->t, align, n, fixed);
  xacc_gmove(NULL, whole(name, made), whole(name, a), XACC_COLLECTIVE, -1);
  return made;
}

/* The caller's elements of a dimension lie together: their number, and where the first is. */
static long mine(const xacc_array *a, int d, long *first) {
  long n = 0;
  for (long i = a->lo[d]; i < a->hi[d]; i++) {
    if (a->axis[d] >= 0 && !xacc_mine(a->t, a->axis[d], i + a->offset[d])) continue;
    if (!n++) *first = xacc_local_index(a, d, i);
  }
  return n;
}

static void multiply(const char *name, xacc_array *x, const xacc_array *a, const xacc_array *b) {
  long i0 = 0, j0 = 0, ia = 0, jb = 0, rows = mine(x, 0, &i0), columns = mine(x, 1, &j0), length = a->size[1];
  mine(a, 0, &ia);
  mine(b, 1, &jb);
  for (long i = 0; i < rows; i++) {
    char *row = (char *)x->base + ((i0 + i) * x->ext[1] + j0) * (long)x->elem;
    memset(row, 0, (size_t)columns * x->elem);
    for (long k = 0; k < length; k++) {
      const char *factor = (const char *)a->base + ((ia + i) * a->ext[1] + k) * (long)a->elem;
      const char *others = (const char *)b->base + (k * b->ext[1] + jb) * (long)b->elem;
      switch (x->type) {
#define INTEGERS(code, T)                                                                                             \
  case code:                                                                                                          \
    for (long j = 0; j < columns; j++)                                                                                \
      ((T *)row)[j] = (T)((unsigned long long)((T *)row)[j] + (unsigned long long)*(const T *)factor *                \
                                                                 (unsigned long long)((const T *)others)[j]);         \
    break;
#define NUMBERS(code, T)                                                                                              \
  case code:                                                                                                          \
    for (long j = 0; j < columns; j++) ((T *)row)[j] += *(const T *)factor * ((const T *)others)[j];                  \
    break;
        XACC_EACH_INTEGER(INTEGERS) XACC_EACH_REAL(NUMBERS) XACC_EACH_COMPLEX(NUMBERS)
        default: xacc_fail(NULL, "%s: array %s has elements that are no numbers.", name, x->name);
      }
    }
  }
}

void xmp_matmul(xmp_desc_t to, xmp_desc_t left, xmp_desc_t right) {
  static const char name[] = "xmp_matmul";
  xacc_array *x = xacc_library_array(name, to), *a = xacc_library_array(name, left), *b = xacc_library_array(name, right);
  whole(name, x);
  same_type(name, x, a);
  same_type(name, x, b);
  if (a->n != 2 || b->n != 2 || a->size[0] != x->size[0] || a->size[1] != b->size[0] || b->size[1] != x->size[1])
    xacc_fail(NULL, "%s: the shapes of arrays %s, %s and %s are not those of a product.", name, x->name, a->name, b->name);
  xacc_array *rows = beside(a->name, x, a, 0), *columns = beside(b->name, x, b, 1);
  multiply(name, x, rows, columns);
  xacc_array_release(&columns);
  xacc_array_release(&rows);
  xacc_library_written(x);
}
