/* Moving the boxes of a plan. */
#include <sched.h>

#include "halo.h"

/* Between an array's box and a dense buffer. Trailing dimensions that the box fills become one run. */
void xacc_box_copy(const xacc_array *a, char *base, const xacc_box *b, char *buffer, int out) {
  long stride[XACC_DIMS], at[XACC_DIMS] = {0};
  size_t run = a->elem;
  int n = a->n;
  if (b->bytes == 0) return;
  for (long d = n - 1, s = (long)a->elem; d >= 0; d--) {
    stride[d] = s;
    s *= a->ext[d];
    base += b->at[d] * stride[d];
  }
  while (n > 0) {
    run *= (size_t)b->count[n - 1];
    n--;
    if (b->count[n] != a->ext[n]) break;
  }
  for (;;) {
    char *p = base;
    for (int d = 0; d < n; d++) p += at[d] * stride[d];
    if (out)
      memcpy(buffer, p, run);
    else
      memcpy(p, buffer, run);
    buffer += run;
    int d = n - 1;
    for (; d >= 0 && ++at[d] == b->count[d]; d--) at[d] = 0;
    if (d < 0) return;
  }
}

static void make_type(const xacc_array *a, xacc_message *m) {
  int ext[XACC_DIMS], count[XACC_DIMS], at[XACC_DIMS];
  MPI_Datatype element;
  for (int d = 0; d < a->n; d++) {
    ext[d] = (int)a->ext[d];
    count[d] = (int)m->box.count[d];
    at[d] = (int)m->box.at[d];
  }
  MPI_Type_contiguous((int)a->elem, MPI_BYTE, &element);
  MPI_Type_create_subarray(a->n, ext, count, at, MPI_ORDER_C, element, &m->type);
  MPI_Type_commit(&m->type);
  MPI_Type_free(&element);
}

void xacc_plan_types(xacc_plan *p) {
  p->started = xacc_alloc(sizeof *p->started * (size_t)(p->sends + p->receives + 1));
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < (side ? p->receives : p->sends); i++) {
      xacc_message *m = side ? &p->receive[i] : &p->send[i];
      make_type(p->a, m);
      m->buffer = xacc_alloc(m->box.bytes);
    }
}

/* Persistent requests, made when a route is first taken. */
static MPI_Request *request_of(xacc_plan *p, xacc_message *m, int receive, int route) {
  if (m->request[route] != MPI_REQUEST_NULL) return &m->request[route];
  void *data = route == XACC_DATATYPE ? p->base : m->buffer;
  int count = route == XACC_DATATYPE ? 1 : (int)m->box.bytes, peer = -1;
  MPI_Datatype type = route == XACC_DATATYPE ? m->type : MPI_BYTE;
  for (int i = 0; i < p->set->count; i++)
    if (p->set->rank[i] == m->peer) peer = i;
  int tag = m->tag + (route == XACC_PACKED ? 32000 : 0);
  if (receive)
    MPI_Recv_init(data, count, type, peer, tag, p->comm, &m->request[route]);
  else
    MPI_Send_init(data, count, type, peer, tag, p->comm, &m->request[route]);
  return &m->request[route];
}

static int route_of(const xacc_plan *p, const xacc_message *m) {
  int route = p->route[m->face];
  return route == XACC_SHARED && !m->near ? XACC_PACKED : route;
}

static void spin(volatile long *value, long until) {
  for (int i = 0; __atomic_load_n(value, __ATOMIC_ACQUIRE) < until; i++)
    if (i > 200) sched_yield();
}

void xacc_plan_start(xacc_plan *p, int face) {
  int count = 0;
  for (int i = 0; i < p->receives; i++) {
    xacc_message *m = &p->receive[i];
    if ((face >= 0 && m->face != face) || route_of(p, m) == XACC_SHARED) continue;
    MPI_Request *r = request_of(p, m, 1, route_of(p, m));
    MPI_Start(r);
    p->started[count++] = *r;
  }
  for (int i = 0; i < p->sends; i++) {
    xacc_message *m = &p->send[i];
    if (face >= 0 && m->face != face) continue;
    int route = route_of(p, m);
    if (route == XACC_SHARED) {
      spin(m->done, m->turn);
      xacc_box_copy(p->a, p->base, &m->box, m->shared, 1);
      __atomic_store_n(m->ready, ++m->turn, __ATOMIC_RELEASE);
      continue;
    }
    if (route == XACC_PACKED) xacc_box_copy(p->a, p->base, &m->box, m->buffer, 1);
    MPI_Request *r = request_of(p, m, 0, route);
    MPI_Start(r);
    p->started[count++] = *r;
  }
  p->running = count;
  for (int i = 0; (face < 0 || face == 0) && i < p->copies; i++) {
    char *buffer = malloc(p->copy[2 * i].bytes);
    xacc_box_copy(p->a, p->base, &p->copy[2 * i], buffer, 1);
    xacc_box_copy(p->a, p->base, &p->copy[2 * i + 1], buffer, 0);
    free(buffer);
  }
}

void xacc_plan_finish(xacc_plan *p, int face) {
  MPI_Waitall(p->running, p->started, MPI_STATUSES_IGNORE);
  p->running = 0;
  for (int i = 0; i < p->receives; i++) {
    xacc_message *m = &p->receive[i];
    if (face >= 0 && m->face != face) continue;
    int route = route_of(p, m);
    if (route == XACC_SHARED) {
      spin(m->ready, m->turn + 1);
      xacc_box_copy(p->a, p->base, &m->box, m->shared, 0);
      __atomic_store_n(m->done, ++m->turn, __ATOMIC_RELEASE);
    } else if (route == XACC_PACKED)
      xacc_box_copy(p->a, p->base, &m->box, m->buffer, 0);
  }
}

/* One shared window for all messages of the plan inside this host. Sender's memory: two counters, then the data. */
void xacc_plan_share(xacc_plan *p) {
  if (p->shared_ready) return;
  p->shared_ready = 1;
  int *rank = xacc_alloc(sizeof *rank * (size_t)p->set->count), count = 0;
  for (int i = 0; i < p->set->count; i++)
    if (xacc_host[p->set->rank[i]] == xacc_host[xacc_rank]) rank[count++] = p->set->rank[i];
  xacc_set *host = xacc_set_of(rank, count);
  free(rank);
  MPI_Comm comm = xacc_comm(host);
  MPI_Aint bytes = 0;
  for (int i = 0; i < p->sends; i++)
    if (p->send[i].near) bytes += 128 + (MPI_Aint)(p->send[i].box.bytes + 63) / 64 * 64;
  char *mine;
  /* A small /dev/shm must not end the program: then all of this host take the packed route instead. */
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int made = MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, comm, &mine, &p->window) == MPI_SUCCESS;
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Allreduce(MPI_IN_PLACE, &made, 1, MPI_INT, MPI_MIN, comm);
  if (!made) {
    p->window = MPI_WIN_NULL;
    p->shared_ready = 2;
    for (int i = 0; i < p->sends; i++) p->send[i].near = 0;
    for (int i = 0; i < p->receives; i++) p->receive[i].near = 0;
    return;
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, p->window);
  MPI_Request *requests = xacc_alloc(sizeof *requests * (size_t)(p->sends + p->receives + 1));
  long *from = xacc_alloc(sizeof *from * (size_t)(p->receives + 1)), *to = xacc_alloc(sizeof *to * (size_t)(p->sends + 1));
  int open = 0;
  long at = 0;
  for (int i = 0; i < p->receives; i++)
    if (p->receive[i].near)
      for (int k = 0; k < host->count; k++)
        if (host->rank[k] == p->receive[i].peer)
          MPI_Irecv(&from[i], 1, MPI_LONG, k, p->receive[i].tag, comm, &requests[open++]);
  for (int i = 0; i < p->sends; i++) {
    xacc_message *m = &p->send[i];
    if (!m->near) continue;
    to[i] = at;
    m->ready = (volatile long *)(mine + at);
    m->done = (volatile long *)(mine + at + 64);
    *m->ready = *m->done = 0;
    m->shared = mine + at + 128;
    at += 128 + (long)(m->box.bytes + 63) / 64 * 64;
    for (int k = 0; k < host->count; k++)
      if (host->rank[k] == m->peer) MPI_Isend(&to[i], 1, MPI_LONG, k, m->tag, comm, &requests[open++]);
  }
  MPI_Waitall(open, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < p->receives; i++) {
    xacc_message *m = &p->receive[i];
    if (!m->near) continue;
    MPI_Aint size;
    int unit, k = 0;
    char *theirs;
    while (host->rank[k] != m->peer) k++;
    MPI_Win_shared_query(p->window, k, &size, &unit, &theirs);
    m->ready = (volatile long *)(theirs + from[i]);
    m->done = (volatile long *)(theirs + from[i] + 64);
    m->shared = theirs + from[i] + 128;
  }
  MPI_Win_sync(p->window);
  MPI_Barrier(comm);
  free(requests);
  free(from);
  free(to);
}

void xacc_plans_free(xacc_array *a) {
  int over = 0;
  MPI_Finalized(&over);
  while (a->plans) {
    xacc_plan *p = a->plans;
    a->plans = p->next;
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < (side ? p->receives : p->sends); i++) {
        xacc_message *m = side ? &p->receive[i] : &p->send[i];
        for (int r = 0; !over && r < 2; r++)
          if (m->request[r] != MPI_REQUEST_NULL) MPI_Request_free(&m->request[r]);
        if (!over) MPI_Type_free(&m->type);
        if (!over) xacc_device_free(m);
        free(m->buffer);
      }
    if (p->window != MPI_WIN_NULL && !over) {
      MPI_Win_unlock_all(p->window);
      MPI_Win_free(&p->window);
    }
    free(p->send);
    free(p->receive);
    free(p->copy);
    free(p->started);
    free(p);
  }
}
