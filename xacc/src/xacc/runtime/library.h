/* What the files of the library procedures share: who holds which element, and messages of single elements. */
#ifndef XACC_LIBRARY_H
#define XACC_LIBRARY_H
#include "internal.h"
#include "xmp.h"

/* Owners of an array's elements among the executing nodes. A cell is a choice of owner coordinates; its elements have the same holders. */
typedef struct {
  xacc_array *a;
  long weight[XACC_DIMS]; /* cell = sum of coordinate * weight */
  long mine;              /* the caller's cell, -1 */
  int *start, *member;    /* of each cell the members of the executing set that hold it */
} xacc_places;

/* One message a pair of nodes: n values go, m come. */
typedef struct {
  MPI_Comm comm;
  int *sends, *sent_at, *recvs, *came_at;
  long n, m, *slot; /* slot: where value i stands in the order of receivers */
} xacc_post;

typedef struct {
  long n, *index; /* elements by their position in the whole array */
} xacc_elements;

xacc_array *xacc_library_array(const char *name, xmp_desc_t d);
long xacc_library_size(const xacc_array *a);
void xacc_library_alike(const char *name, const xacc_array *a, const xacc_array *b);
void xacc_library_written(xacc_array *a);
char *xacc_library_at(const xacc_array *a, long position); /* in the caller's memory */

xacc_places xacc_places_of(xacc_array *a);
void xacc_places_free(xacc_places *p);
/* once: of elements that several nodes hold, only those that the caller is the first to hold. */
xacc_elements xacc_places_own(const xacc_places *p, int once);

xacc_post xacc_post_of(const int *to, long n);
void xacc_post_free(xacc_post *p);
void *xacc_post_send(const xacc_post *p, const void *values, size_t bytes);
void *xacc_post_back(const xacc_post *p, const void *answers, size_t bytes);

/* Values of elements that any node holds, and values for all holders of elements. */
void *xacc_library_get(const char *name, const xacc_places *p, const long *position, long n);
void xacc_library_put(const char *name, const xacc_places *p, const long *position, long n, const void *values);
#endif
