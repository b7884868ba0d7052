/* Beginning and end of a program. */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "xacc_embed.h"

static int opened, closed;

/* Where a file-scope directive of several files comes first is the order of linking. */
typedef void (*init_function)(void);
static struct {
  init_function run;
  const char *group;
} *inits;
static int init_count, init_space, started;

void xacc_register(void (*init)(void), const char *group) {
  if (init_count == init_space) {
    init_space = init_space ? 2 * init_space : 64;
    inits = realloc(inits, sizeof *inits * (size_t)init_space);
    if (!inits) abort();
  }
  inits[init_count].run = init;
  inits[init_count++].group = group;
}

#ifdef __GLIBC__
static void at_exit(int status, void *unused) {
  (void)unused;
#else
static int status;
static void at_exit(void) {
#endif
  if (!opened || closed) return;
  if (status != 0) { /* the others may wait for this rank for ever: give them two seconds to come here too */
    MPI_Request request;
    int done = 0;
    fflush(NULL);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (double end = MPI_Wtime() + 2; !done && MPI_Wtime() < end; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
      nanosleep(&(struct timespec){0, 1000000}, NULL);
    if (!done) {
      MPI_Abort(MPI_COMM_WORLD, status);
      return;
    }
  }
  xacc_close();
}

/* Who is where: ranks of one host have one leader. */
static void look_around(void) {
  MPI_Comm host;
  MPI_Comm_rank(xacc_world, &xacc_rank);
  MPI_Comm_size(xacc_world, &xacc_size);
  int leader = xacc_rank;
  MPI_Comm_split_type(xacc_world, MPI_COMM_TYPE_SHARED, xacc_rank, MPI_INFO_NULL, &host);
  MPI_Bcast(&leader, 1, MPI_INT, 0, host);
  MPI_Comm_free(&host);
  free(xacc_host);
  xacc_host = xacc_alloc(sizeof *xacc_host * (size_t)xacc_size);
  MPI_Allgather(&leader, 1, MPI_INT, xacc_host, 1, MPI_INT, xacc_world);
}

void xacc_open(void) {
  if (opened) return;
  int ready = 0, level = 0;
  MPI_Initialized(&ready);
  if (!ready) PMPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  opened = xacc_running = 1;
  look_around();
  xacc_route_load();
  xacc_table_load();
#ifdef __GLIBC__
  on_exit(at_exit, NULL);
#else
  atexit(at_exit);
#endif
}

void xacc_start(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  if (started) return;
  started = 1;
  xacc_open();
  for (int i = 0; i < init_count; i++)
    if (!inits[i].group) inits[i].run();
}

static void go_to(MPI_Comm comm) {
  xacc_open();
  if (comm == xacc_world) return;
  xacc_world = comm;
  look_around();
}

/* xmp_init(comm): the program has begun as MPI. */
void xacc_start_on(MPI_Comm comm) {
  if (started && comm != xacc_world)
    xacc_fail(NULL, "xmp_init is given another communicator than the one that the program started on; call it before any directive.");
  if (!started) go_to(comm);
  xacc_start(NULL, NULL);
}

void xacc_start_in(MPI_Comm comm, const char *group) {
  go_to(comm);
  for (int i = 0; i < init_count; i++)
    if (inits[i].group && !strcmp(inits[i].group, group)) inits[i].run();
}

void xacc_close(void) {
  int done = 0;
  if (closed) return;
  closed = 1;
  xacc_running = 0;
  fflush(NULL);
  xacc_sections_print();
  MPI_Finalized(&done);
  if (!done) PMPI_Finalize();
}

/* A program that starts and ends MPI itself finds it started, and ended only when everything has ended. */
int MPI_Init(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  xacc_open();
  return MPI_SUCCESS;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  (void)argc;
  (void)argv;
  (void)required;
  if (!opened) {
    int level = 0;
    PMPI_Init_thread(NULL, NULL, required, &level);
  }
  xacc_open();
  return MPI_Query_thread(provided);
}

int MPI_Finalize(void) {
  fflush(NULL);
  return MPI_SUCCESS;
}
