/* Which route each face of a halo exchange takes: that of the environment, of the table, of an earlier run, or the fastest. */
#include "halo.h"

enum { FACES = 2 * XACC_DIMS + 1 };
enum { ENVIRONMENT, TABLE, KEPT, MEASURED };
#define WORSE 1.2 /* a kept route that takes so much longer than another one took is measured again */

static const char *const source_name[] = {"environment", "table", "kept", "measured"};

typedef struct {
  int route, source;
  double seconds[XACC_ROUTES]; /* 0: not measured */
} choice;

static int forced(void) {
  const char *name = getenv("XACC_ROUTE");
  for (int r = 0; name && *name && r < XACC_ROUTES; r++)
    if (!strcmp(name, xacc_route_name[r])) return r;
  if (name && *name && strcmp(name, "measure") && strcmp(name, "device") && strcmp(name, "staged"))
    xacc_fail(NULL, "XACC_ROUTE is %s; it may be datatype, packed, shared, measure, or for devices device or staged.", name);
  return -1;
}

/* Blocks of a box, as xacc_box_copy moves them. */
static void shape(const xacc_array *a, const xacc_box *b, xacc_face *f) {
  long run = (long)a->elem, stride = (long)a->elem;
  int n = a->n, d = a->n;
  while (n > 0) {
    run *= b->count[--n];
    if (b->count[n] != a->ext[n]) break;
  }
  for (; d > n || (d > 0 && b->count[d - 1] == 1); d--) stride *= a->ext[d - 1];
  f->bytes = (long)b->bytes;
  f->block = run;
  f->blocks = (long)b->bytes / run;
  f->stride = f->blocks > 1 ? stride : run;
}

/* The largest message of each face, on all ranks alike: they measure and share together, those without the face, too. */
static void look(const xacc_plan *p, xacc_face *face) {
  int faces = 2 * p->a->n + 1;
  memset(face, 0, sizeof *face * FACES);
  for (int i = 0; i < p->sends; i++) {
    const xacc_message *m = &p->send[i];
    xacc_face *f = &face[m->face];
    f->far |= !m->near;
    if ((long)m->box.bytes > f->bytes) shape(p->a, &m->box, f);
  }
  if (p->set->count > 1)
    MPI_Allreduce(MPI_IN_PLACE, face, faces * (int)(sizeof *face / sizeof(long)), MPI_LONG, MPI_MAX, p->comm);
}

static void name_face(char *text, size_t size, const xacc_plan *p, int face) {
  if (face == 2 * p->a->n)
    snprintf(text, size, "corners");
  else
    snprintf(text, size, "dimension %d %s", face / 2 + 1, face % 2 ? "above" : "below");
}

static void describe(const char *where, const xacc_plan *p, int f, const xacc_face *face, const choice *c) {
  char name[32], times[160] = "";
  size_t bytes = 0;
  int count = 0;
  for (int i = 0; i < p->sends; i++)
    if (p->send[i].face == f) bytes += p->send[i].box.bytes, count++;
  name_face(name, sizeof name, p, f);
  for (int r = 0; r < XACC_ROUTES; r++) {
    size_t at = strlen(times);
    if (c->seconds[r] > 0)
      snprintf(times + at, sizeof times - at, "%s%s %.3g s", r ? ", " : "", xacc_route_name[r], c->seconds[r]);
    else
      snprintf(times + at, sizeof times - at, "%s%s -", r ? ", " : "", xacc_route_name[r]);
  }
  xacc_explain("%s: note: reflect %s, %s: rank 0 sends %d of %zu bytes by route %s (%s); %s, %s: %ld x %ld bytes, stride %ld; %s\n",
               where, p->a->name, name, count, bytes, xacc_route_name[p->route[f]], source_name[c->source],
               face->far ? "network" : "same node",
               face->blocks == 1 ? "one block" : face->block == (long)p->a->elem ? "single elements" : "blocks",
               face->blocks, face->block, face->stride, times);
}

/* Least of three exchanges of one face. The data moved are those of the reflect itself, so that measuring leaves the
   same halos. */
static double timed(xacc_plan *p, int face, int route) {
  double best = 1e9;
  p->route[face] = route;
  for (int i = 0; i < 4; i++) {
    double t = MPI_Wtime();
    xacc_plan_start(p, face);
    xacc_plan_finish(p, face);
    t = MPI_Wtime() - t;
    if (i && t < best) best = t;
  }
  return best;
}

/* All ranks take the route whose slowest rank is fastest. */
static void measure_face(const char *key, xacc_plan *p, int face, choice *c) {
  xacc_plan_share(p);
  c->route = 0;
  c->source = MEASURED;
  for (int r = 0; r < XACC_ROUTES; r++) c->seconds[r] = timed(p, face, r);
  MPI_Allreduce(MPI_IN_PLACE, c->seconds, XACC_ROUTES, MPI_DOUBLE, MPI_MAX, p->comm);
  for (int r = 1; r < XACC_ROUTES; r++)
    if (c->seconds[r] < c->seconds[c->route]) c->route = r;
  p->route[face] = c->route;
  xacc_route_keep(key, c->route, c->seconds, p->set->me == 0);
}

static void measure_again(const char *where, const char *key, xacc_plan *p, int face, choice *c) {
  int other = -1, before = c->route;
  char name[32];
  for (int r = 0; r < XACC_ROUTES; r++)
    if (r != before && c->seconds[r] > 0 && (other < 0 || c->seconds[r] < c->seconds[other])) other = r;
  if (other < 0) return;
  double now = timed(p, face, before), then = c->seconds[other];
  MPI_Allreduce(MPI_IN_PLACE, &now, 1, MPI_DOUBLE, MPI_MAX, p->comm);
  if (now <= WORSE * then) return;
  measure_face(key, p, face, c);
  name_face(name, sizeof name, p, face);
  if (p->set->me == 0)
    fprintf(stderr, "%s: note: reflect %s, %s: the kept route %s takes %.3g s, %s took %.3g s before; measured again: %s\n", where,
            p->a->name, name, xacc_route_name[before], now, xacc_route_name[other], then, xacc_route_name[c->route]);
}

static void choose(int route, const char *key, const xacc_face *face, choice *c) {
  memset(c, 0, sizeof *c);
  c->route = route;
  if (c->route < 0) {
    c->source = TABLE;
    c->route = xacc_table_route(face, c->seconds);
  }
  if (c->route < 0) {
    c->source = KEPT;
    c->route = xacc_route_known(key, c->seconds);
  }
  if (c->route < 0) c->source = MEASURED;
}

void xacc_plan_routes(const char *where, xacc_plan *p) {
  if (p->comm != MPI_COMM_NULL) return;
  p->comm = xacc_comm(p->set);
  int faces = 2 * p->a->n + 1, route = forced();
  xacc_face face[FACES];
  choice chosen[FACES];
  char key[FACES][128];
  look(p, face);
  for (int f = 0; f < faces; f++) {
    long inner = 1;
    for (int d = f / 2 + 1; d < p->a->n; d++) inner *= p->a->size[d];
    snprintf(key[f], sizeof key[f], "%s%d ranks, %ld bytes, runs of %ld", f == 2 * p->a->n ? "corners, " : "", p->set->count,
             face[f].bytes, f == 2 * p->a->n ? 0 : inner * (long)p->a->elem);
    choose(route, key[f], &face[f], &chosen[f]);
  }
  if (p->set->count > 1) MPI_Bcast(chosen, (int)sizeof chosen, MPI_BYTE, 0, p->comm);
  for (int f = 0; f < faces; f++) {
    choice *c = &chosen[f];
    p->route[f] = XACC_DATATYPE;
    if (face[f].bytes == 0) continue;
    if (c->route >= 0) p->route[f] = c->route;
    if (c->route == XACC_SHARED) xacc_plan_share(p);
    if (c->source == MEASURED)
      measure_face(key[f], p, f, c);
    else if (c->source == KEPT)
      measure_again(where, key[f], p, f, c);
    describe(where, p, f, &face[f], c);
  }
}
