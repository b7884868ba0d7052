/* xmp_gather, xmp_scatter, xmp_pack and xmp_unpack: elements that an index array or a mask chooses. */
#include <stdarg.h>

#include "library.h"

static void same_type(const char *name, const xacc_array *a, const xacc_array *b) {
  if (a->type != b->type || a->elem != b->elem)
    xacc_fail(NULL, "%s: arrays %s and %s have elements of different types.", name, a->name, b->name);
}

static long integer(const xacc_array *a, const void *value) {
  switch (a->type) {
#define INTEGER(code, T) \
  case code: return (long)*(const T *)value;
    XACC_EACH_INTEGER(INTEGER)
  }
  return 0;
}

/* A value of each of these elements of an array of integers. */
static long *integers(const char *name, xmp_desc_t d, const xacc_array *like, const xacc_elements *of) {
  xacc_array *a = xacc_library_array(name, d);
  xacc_library_alike(name, a, like);
  if (a->type < 1 || (a->type > 11 && a->type != 17)) xacc_fail(NULL, "%s: array %s has elements that are no integers.", name, a->name);
  xacc_places places = xacc_places_of(a);
  char *found = xacc_library_get(name, &places, of->index, of->n);
  long *values = xacc_alloc(sizeof *values * (size_t)(of->n + 1));
  for (long i = 0; i < of->n; i++) values[i] = integer(a, found + (size_t)i * a->elem);
  free(found);
  xacc_places_free(&places);
  return values;
}

/* Where in `of` the index arrays point, one for each of its dimensions; each has the shape of `like`. */
static long *pointed(const char *name, const xacc_array *of, const xacc_array *like, const xacc_elements *at, va_list list) {
  long *position = xacc_alloc(sizeof *position * (size_t)(at->n + 1));
  for (int d = 0; d < of->n; d++) {
    long *values = integers(name, va_arg(list, xmp_desc_t), like, at);
    for (long i = 0; i < at->n; i++) {
      if (values[i] < 0 || values[i] >= of->size[d])
        xacc_fail(NULL, "%s: index %ld of dimension %d of array %s is none of 0 to %ld.", name, values[i], d + 1, of->name, of->size[d] - 1);
      position[i] = position[i] * of->size[d] + values[i];
    }
    free(values);
  }
  return position;
}

static char *values_of(const xacc_array *a, const xacc_elements *at) {
  char *values = xacc_alloc((size_t)(at->n + 1) * a->elem);
  for (long i = 0; i < at->n; i++) memcpy(values + (size_t)i * a->elem, xacc_library_at(a, at->index[i]), a->elem);
  return values;
}

static void store(xacc_array *a, const xacc_elements *at, char *values) {
  for (long i = 0; i < at->n; i++) memcpy(xacc_library_at(a, at->index[i]), values + (size_t)i * a->elem, a->elem);
  free(values);
  xacc_library_written(a);
}

void xmp_gather(xmp_desc_t to, xmp_desc_t from, ...) {
  static const char name[] = "xmp_gather";
  xacc_array *x = xacc_library_array(name, to), *a = xacc_library_array(name, from);
  same_type(name, x, a);
  xacc_places there = xacc_places_of(x), here = xacc_places_of(a);
  xacc_elements own = xacc_places_own(&there, 0);
  va_list list;
  va_start(list, from);
  long *position = pointed(name, a, x, &own, list);
  va_end(list);
  store(x, &own, xacc_library_get(name, &here, position, own.n));
  free(position);
  free(own.index);
  xacc_places_free(&there);
  xacc_places_free(&here);
}

void xmp_scatter(xmp_desc_t to, xmp_desc_t from, ...) {
  static const char name[] = "xmp_scatter";
  xacc_array *x = xacc_library_array(name, to), *a = xacc_library_array(name, from);
  same_type(name, x, a);
  xacc_places there = xacc_places_of(x), here = xacc_places_of(a);
  xacc_elements own = xacc_places_own(&here, 1);
  va_list list;
  va_start(list, from);
  long *position = pointed(name, x, a, &own, list);
  va_end(list);
  char *values = values_of(a, &own);
  xacc_library_put(name, &there, position, own.n, values);
  free(values);
  free(position);
  free(own.index);
  xacc_places_free(&there);
  xacc_places_free(&here);
}

/* Drops the elements that the mask leaves out. */
static void choose(const char *name, xmp_desc_t mask, const xacc_array *a, xacc_elements *own) {
  if (!mask) return;
  long *chosen = integers(name, mask, a, own), n = 0;
  for (long i = 0; i < own->n; i++)
    if (chosen[i]) own->index[n++] = own->index[i];
  own->n = n;
  free(chosen);
}

/* The place of each chosen element among all chosen ones. Each node counts a part of the positions. */
static long *places(const char *name, const xacc_array *a, const xacc_elements *own, const xacc_array *v) {
  const xacc_set *set = xacc_executing();
  long part = (xacc_library_size(a) + set->count - 1) / set->count, first = 0, count = 0, total;
  int *node = xacc_alloc(sizeof *node * (size_t)(own->n + 1));
  for (long i = 0; i < own->n; i++) node[i] = (int)(own->index[i] / part);
  xacc_post post = xacc_post_of(node, own->n);
  long *asked = xacc_post_send(&post, own->index, sizeof *asked), *before = xacc_alloc(sizeof *before * (size_t)(part + 1));
  for (long i = 0; i < post.m; i++) before[asked[i] - set->me * part + 1] = 1;
  for (long i = 0; i < part; i++) before[i + 1] += before[i];
  count = before[part];
  MPI_Exscan(&count, &first, 1, MPI_LONG, MPI_SUM, post.comm);
  MPI_Allreduce(&count, &total, 1, MPI_LONG, MPI_SUM, post.comm);
  if (set->me == 0) first = 0;
  if (total > v->size[0])
    xacc_fail(NULL, "%s: the mask chooses %ld elements of array %s and array %s has %ld.", name, total, a->name, v->name, v->size[0]);
  for (long i = 0; i < post.m; i++) asked[i] = first + before[asked[i] - set->me * part];
  long *found = xacc_post_back(&post, asked, sizeof *found);
  xacc_post_free(&post);
  free(asked);
  free(before);
  free(node);
  return found;
}

static void check(const char *name, const xacc_array *v, const xacc_array *a) {
  same_type(name, v, a);
  if (v->n != 1) xacc_fail(NULL, "%s: array %s has %d dimensions; 1 is needed.", name, v->name, v->n);
}

void xmp_pack(xmp_desc_t to, xmp_desc_t from, xmp_desc_t mask) {
  static const char name[] = "xmp_pack";
  xacc_array *v = xacc_library_array(name, to), *a = xacc_library_array(name, from);
  check(name, v, a);
  xacc_places there = xacc_places_of(v), here = xacc_places_of(a);
  xacc_elements own = xacc_places_own(&here, 1);
  choose(name, mask, a, &own);
  long *position = places(name, a, &own, v);
  char *values = values_of(a, &own);
  xacc_library_put(name, &there, position, own.n, values);
  free(values);
  free(position);
  free(own.index);
  xacc_places_free(&there);
  xacc_places_free(&here);
}

void xmp_unpack(xmp_desc_t to, xmp_desc_t from, xmp_desc_t mask) {
  static const char name[] = "xmp_unpack";
  xacc_array *a = xacc_library_array(name, to), *v = xacc_library_array(name, from);
  check(name, v, a);
  xacc_places there = xacc_places_of(a), here = xacc_places_of(v);
  xacc_elements own = xacc_places_own(&there, 0);
  choose(name, mask, a, &own);
  long *position = places(name, a, &own, v);
  store(a, &own, xacc_library_get(name, &here, position, own.n));
  free(position);
  free(own.index);
  xacc_places_free(&there);
  xacc_places_free(&here);
}

void xmp_pack_mask(xmp_desc_t v, xmp_desc_t a, xmp_desc_t mask) { xmp_pack(v, a, mask); }
void xmp_pack_nomask(xmp_desc_t v, xmp_desc_t a) { xmp_pack(v, a, NULL); }
void xmp_unpack_mask(xmp_desc_t a, xmp_desc_t v, xmp_desc_t mask) { xmp_unpack(a, v, mask); }
void xmp_unpack_nomask(xmp_desc_t a, xmp_desc_t v) { xmp_unpack(a, v, NULL); }
