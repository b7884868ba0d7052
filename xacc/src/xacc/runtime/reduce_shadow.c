/* reduce_shadow: a reflect the other way round. What lies in a halo goes to its owner, who adds it. */
#include "halo.h"

enum { TAG = 64200 }; /* above those of halos and gmove */

typedef struct {
  xacc_array *a;
  const xacc_box *box; /* NULL: was sent */
  char *buffer;
  int type;
  size_t each;
} arrival;

static void add_box(xacc_array *a, const xacc_box *box, const char *values, int type, size_t each) {
  char *sum = xacc_alloc(box->bytes);
  xacc_box_copy(a, a->base, box, sum, 1);
  xacc_combine(sum, values, (long)(box->bytes / each), type, XACC_SUM);
  xacc_box_copy(a, a->base, box, sum, 0);
  free(sum);
}

static void arrived(void *data) {
  arrival *r = data;
  if (r->box) add_box(r->a, r->box, r->buffer, r->type, r->each);
  free(r->buffer);
  free(r);
}

void xacc_reduce_shadow(const char *where, xacc_array *a, const xacc_width *width, int flags, int async, int type) {
  if (!a->owner && !(a = xacc_find(xacc_view(a)))) xacc_fail(where, "reduce_shadow: an array has no storage: its file was not translated.");
  for (int d = 0; d < a->n; d++)
    if (a->cycle[d] && a->full[d]) xacc_fail(where, "reduce_shadow: array %s has a full shadow of a cyclic dimension.", a->name);
  if (!a->t->nodes->member) return;
  size_t each;
  xacc_mpi_type(where, type, &each);
  xacc_plan *p = xacc_plan_of(where, a, width, (flags & XACC_ORTHOGONAL) | XACC_NOT_ALONG);
  MPI_Comm comm = xacc_comm(p->set);
  int all = p->sends + p->receives, count = 0;
  MPI_Request *request = xacc_alloc(sizeof *request * (size_t)(all + 1));
  arrival **made = xacc_alloc(sizeof *made * (size_t)(all + 1));
  char **own = xacc_alloc(sizeof *own * (size_t)(p->copies + 1));
  for (int i = 0; i < all; i++) {
    int in = i < p->sends; /* what reflect sends comes back here */
    const xacc_message *m = in ? &p->send[i] : &p->receive[i - p->sends];
    int peer = 0;
    while (p->set->rank[peer] != m->peer) peer++;
    arrival *r = made[count] = xacc_alloc(sizeof *r);
    *r = (arrival){a, in ? &m->box : NULL, xacc_alloc(m->box.bytes), type, each};
    if (in)
      MPI_Irecv(r->buffer, (int)m->box.bytes, MPI_BYTE, peer, TAG + m->tag, comm, &request[count++]);
    else {
      xacc_box_copy(a, a->base, &m->box, r->buffer, 1);
      MPI_Isend(r->buffer, (int)m->box.bytes, MPI_BYTE, peer, TAG + m->tag, comm, &request[count++]);
    }
  }
  for (int i = 0; i < p->copies; i++) { /* round the end on one node: read all first */
    own[i] = xacc_alloc(p->copy[2 * i + 1].bytes);
    xacc_box_copy(a, a->base, &p->copy[2 * i + 1], own[i], 1);
  }
  for (int i = 0; i < p->copies; i++) {
    add_box(a, &p->copy[2 * i], own[i], type, each);
    free(own[i]);
  }
  if (async < 0) MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
  for (int i = 0; i < count; i++) {
    if (async < 0)
      arrived(made[i]);
    else
      xacc_request(async, request[i], arrived, made[i]);
  }
  free(own);
  free(made);
  free(request);
#ifdef XACC_CHECK
  xacc_written any[XACC_DIMS] = {{0}}; /* all halos are old now: those that the caller wrote, too */
  xacc_stale(a, any);
  xacc_stale(a, any);
#endif
}
