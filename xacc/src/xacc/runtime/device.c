/* Halos of device copies. Faces are packed and unpacked on the device. What travels is the packed buffer itself where MPI
   reads the device's memory (route device), else a copy of it on the host (route staged); never the whole array. */
#include "halo.h"

#ifndef _OPENACC
int xacc_device_start(const char *where, xacc_plan *p) {
  (void)where;
  (void)p;
  return 0;
}
void xacc_device_finish(xacc_plan *p) { (void)p; }
void xacc_device_free(xacc_message *m) { (void)m; }
#else
#include <openacc.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

typedef struct {
  long count[XACC_DIMS], stride[XACC_DIMS]; /* of the outer dimensions, in words */
  long run, words;                          /* what is contiguous; all */
} shape;

/* i-th word of a box, as an offset from its first. */
#pragma acc routine seq
static inline long offset_of(const shape s, long i) {
  long at = i % s.run, rest = i / s.run;
  for (int d = XACC_DIMS - 1; d >= 0; d--) {
    at += rest % s.count[d] * s.stride[d];
    rest /= s.count[d];
  }
  return at;
}

#define MOVE(name, word)                                                     \
  static void name(word *array, word *buffer, const shape s, int out) {      \
    const long words = s.words;                                              \
    _Pragma("acc parallel loop deviceptr(array, buffer) firstprivate(s)")    \
    for (long i = 0; i < words; i++) {                                       \
      const long at = offset_of(s, i);                                       \
      if (out)                                                               \
        buffer[i] = array[at];                                               \
      else                                                                   \
        array[at] = buffer[i];                                               \
    }                                                                        \
  }
MOVE(move_words, uint64_t)
MOVE(move_bytes, char)

/* Between a box of the array and a dense buffer, both on the device. */
static void move(const xacc_array *a, char *array, const xacc_box *b, char *buffer, int out) {
  const long word = a->elem % sizeof(uint64_t) ? 1 : (long)sizeof(uint64_t);
  shape s;
  long stride = (long)a->elem / word, first = 0;
  s.run = stride;
  s.words = (long)b->bytes / word;
  for (int d = 0; d < XACC_DIMS; d++) s.count[d] = 1, s.stride[d] = 0;
  for (int d = a->n - 1; d >= 0; d--) {
    s.count[d] = b->count[d];
    s.stride[d] = stride;
    first += b->at[d] * stride;
    stride *= a->ext[d];
  }
  if (word == 1)
    move_bytes(array + first, buffer, s, out);
  else
    move_words((uint64_t *)array + first, (uint64_t *)buffer, s, out);
}

/* Does MPI take pointers to the device's memory? */
static int aware(void) {
  const char *value = getenv("XACC_DEVICE_MPI");
  if (value && *value) return *value != '0';
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support();
#else
  return 0;
#endif
}

static void prepare(const char *where, xacc_plan *p, int direct) {
  MPI_Comm comm = xacc_comm(p->set);
  size_t bytes = 0;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < (side ? p->receives : p->sends); i++) {
      xacc_message *m = side ? &p->receive[i] : &p->send[i];
      int peer = -1;
      for (int k = 0; k < p->set->count; k++)
        if (p->set->rank[k] == m->peer) peer = k;
      m->device = acc_malloc(m->box.bytes);
      m->stage = direct ? NULL : xacc_alloc(m->box.bytes);
      if (!m->device) xacc_fail(where, "reflect: no memory on the device for %zu bytes of array %s.", m->box.bytes, p->a->name);
      void *data = direct ? m->device : m->stage;
      if (side)
        MPI_Recv_init(data, (int)m->box.bytes, MPI_BYTE, peer, m->tag, comm, &m->device_request);
      else
        MPI_Send_init(data, (int)m->box.bytes, MPI_BYTE, peer, m->tag, comm, &m->device_request);
      if (!side) bytes += m->box.bytes;
    }
  p->device_ready = 1;
  xacc_explain("%s: note: reflect %s on the device: rank 0 sends %d of %zu bytes in all by route %s\n", where, p->a->name,
               p->sends, bytes, direct ? "device" : "staged");
}

/* 0: the array has no copy on the device, or one that is the host's own; then the host's routes serve. */
int xacc_device_start(const char *where, xacc_plan *p) {
  const char *route = getenv("XACC_ROUTE");
  int forced = route && (!strcmp(route, "device") || !strcmp(route, "staged"));
  if (!acc_is_present(p->base, 1)) return 0;
  char *array = acc_deviceptr(p->base);
  if (array == p->base && !forced) return 0;
  if (!p->device_ready) prepare(where, p, forced ? !strcmp(route, "device") : aware());
  for (int i = 0; i < p->receives; i++) MPI_Start(&p->receive[i].device_request);
  for (int i = 0; i < p->sends; i++) {
    xacc_message *m = &p->send[i];
    move(p->a, array, &m->box, m->device, 1);
    if (m->stage) acc_memcpy_from_device(m->stage, m->device, m->box.bytes);
    MPI_Start(&m->device_request);
  }
  for (int i = 0; i < p->copies; i++) {
    char *between = acc_malloc(p->copy[2 * i].bytes);
    move(p->a, array, &p->copy[2 * i], between, 1);
    move(p->a, array, &p->copy[2 * i + 1], between, 0);
    acc_free(between);
  }
  return p->on_device = 1;
}

void xacc_device_finish(xacc_plan *p) {
  char *array = acc_deviceptr(p->base);
  p->on_device = 0;
  for (int i = 0; i < p->sends; i++) MPI_Wait(&p->send[i].device_request, MPI_STATUS_IGNORE);
  for (int i = 0; i < p->receives; i++) {
    xacc_message *m = &p->receive[i];
    MPI_Wait(&m->device_request, MPI_STATUS_IGNORE);
    if (m->stage) acc_memcpy_to_device(m->device, m->stage, m->box.bytes);
    move(p->a, array, &m->box, m->device, 0);
  }
}

void xacc_device_free(xacc_message *m) {
  if (!m->device) return;
  MPI_Request_free(&m->device_request);
  acc_free(m->device);
  free(m->stage);
  m->device = NULL;
}
#endif
