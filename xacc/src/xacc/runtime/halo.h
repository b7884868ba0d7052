/* The plan of a halo exchange: every box that is sent, received or copied, with the route that it takes. */
#ifndef XACC_HALO_H
#define XACC_HALO_H
#include "internal.h"

enum { XACC_DATATYPE, XACC_PACKED, XACC_SHARED, XACC_ROUTES };

typedef struct {
  long at[XACC_DIMS], count[XACC_DIMS]; /* local indices */
  size_t bytes;
} xacc_box;

typedef struct {
  xacc_box box;
  int peer, tag, face; /* rank of the world; face: dimension * 2 + side, dimensions * 2 for corners */
  MPI_Datatype type;   /* XACC_DATATYPE */
  char *buffer;        /* XACC_PACKED */
  char *shared;        /* XACC_SHARED: the sender's part of the window. Never that of XACC_PACKED, where no counter
                          says that the receiver has read it. */
  volatile long *ready, *done;
  long turn; /* of the shared window */
  MPI_Request request[XACC_ROUTES]; /* persistent; none of the shared window */
  int near; /* the peer is on this host */
  char *device, *stage; /* packed, of the routes device and staged; stage: on the host */
  MPI_Request device_request;
} xacc_message;

typedef struct xacc_plan {
  xacc_width width[XACC_DIMS];
  int orthogonal;
  xacc_array *a;
  char *base;
  const xacc_set *set;
  MPI_Comm comm;
  xacc_message *send, *receive;
  int sends, receives, copies;
  xacc_box *copy; /* pairs: from, to */
  int route[2 * XACC_DIMS + 1], shared_ready, running, device_ready, on_device;
  MPI_Win window;
  MPI_Request *started;
  struct xacc_plan *next;
} xacc_plan;

/* The largest message of a face: blocks of so many bytes, each a stride after the one before. far: over the network. */
typedef struct {
  long bytes, far, block, blocks, stride;
} xacc_face;

enum { XACC_NOT_ALONG = 8 }; /* beside XACC_ORTHOGONAL: a width of 0 leaves the halo of that dimension alone */
xacc_plan *xacc_plan_of(const char *where, xacc_array *a, const xacc_width *width, int orthogonal);
int xacc_plan_along(const xacc_array *a, int d, const xacc_width *w, int orthogonal);
void xacc_plan_start(xacc_plan *plan, int face); /* face -1: all */
void xacc_plan_finish(xacc_plan *plan, int face);
void xacc_plan_share(xacc_plan *plan);
void xacc_plan_routes(const char *where, xacc_plan *plan);
void xacc_box_copy(const xacc_array *a, char *base, const xacc_box *box, char *buffer, int out);
int xacc_device_start(const char *where, xacc_plan *plan);
void xacc_device_finish(xacc_plan *plan);
void xacc_device_free(xacc_message *message);
void xacc_plan_types(xacc_plan *plan);

/* A route from the table or the kept file, and the seconds of each; -1: none. */
extern const char *const xacc_route_name[];
int xacc_table_route(const xacc_face *face, double *seconds);
int xacc_route_known(const char *key, double *seconds);
void xacc_route_keep(const char *key, int route, const double *seconds, int writes);
void xacc_machine(char *name, size_t size);
void *xacc_to_all(void *list, int *n, size_t size);
#endif
