/* Array sections a[first:count:step]. Generated code, serial and distributed, needs no more than this. */
#ifndef XACC_SECTION_H
#define XACC_SECTION_H
#include <stdlib.h>
#ifndef XACC_HERE
#include <stdarg.h>
#include <stdio.h>
#define XACC_TEXT_(x) #x
#define XACC_TEXT(x) XACC_TEXT_(x)
#define XACC_HERE __FILE__ ":" XACC_TEXT(__LINE__)
static inline void xacc_fail(const char *where, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fflush(stdout);
  fprintf(stderr, "%s: error: ", where);
  vfprintf(stderr, format, list);
  fprintf(stderr, "\n");
  va_end(list);
  exit(3);
}
#endif

typedef struct {
  long lo, len, step;
} xacc_triplet;

enum { XACC_LOW = 1, XACC_LENGTH = 2 }; /* the parts of a triplet that the program gives */

/* extent: elements of the dimension, -1 where a pointer hides the number. dim counts from 1. */
static inline xacc_triplet xacc_triplet_of(const char *where, const char *name, int dim, long extent, int given,
                                           long lo, long len, long step) {
  if (step == 0) xacc_fail(where, "array %s: the section of dimension %d has the step 0.", name, dim);
  if (extent < 0 && !(given & XACC_LENGTH))
    xacc_fail(where, "array %s: dimension %d is that of a pointer; write the number of elements of the section.", name, dim);
  if (!(given & XACC_LOW)) lo = step > 0 ? 0 : (given & XACC_LENGTH) && extent < 0 ? -(len - 1) * step : extent - 1;
  if (!(given & XACC_LENGTH)) len = step > 0 ? (extent - lo + step - 1) / step : lo / -step + 1;
  if (len < 0) xacc_fail(where, "array %s: the section of dimension %d has the length %ld; lengths start at 0.", name, dim, len);
  long last = lo + (len - 1) * step;
  if (len > 0 && (lo < 0 || last < 0 || (extent >= 0 && (lo >= extent || last >= extent))))
    xacc_fail(where, "array %s: the section %ld:%ld:%ld of dimension %d leaves its elements 0 to %ld.", name, lo, len, step,
              dim, extent - 1);
  xacc_triplet made = {lo, len, step};
  return made;
}

static inline void xacc_conform(const char *where, const char *left, long n, const char *right, long m) {
  if (n != m) xacc_fail(where, "the section of %s has %ld elements and that of %s has %ld; make them as many.", left, n, right, m);
}

/* Room for the values of the right side, which is read before the left side is written. */
static inline void *xacc_room(const char *where, long count, size_t bytes) {
  void *room = malloc(count > 0 ? (size_t)count * bytes : 1);
  if (!room) xacc_fail(where, "no memory for %ld values of a section.", count);
  return room;
}
#endif
