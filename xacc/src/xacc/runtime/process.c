/* This rank among the others, its memory and its failures: what all files of the runtime stand on. */
#include <stdarg.h>
#include <unistd.h>

#include "internal.h"

int xacc_rank, xacc_size;
MPI_Comm xacc_world = MPI_COMM_WORLD;
int *xacc_host;
int xacc_running;

void *xacc_alloc(size_t bytes) {
  void *p = calloc(bytes ? bytes : 1, 1);
  if (!p) xacc_fail(NULL, "no memory for %zu bytes.", bytes);
  return p;
}

void xacc_fail(const char *where, const char *format, ...) {
  va_list list;
  va_start(list, format);
  char text[1024];
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fflush(stdout);
  fprintf(stderr, "%s%serror: rank %d: %s\n", where ? where : "", where ? ": " : "", xacc_rank, text);
  fflush(stderr);
  if (xacc_running) MPI_Abort(MPI_COMM_WORLD, 3);
  _exit(3);
}

void xacc_explain(const char *format, ...) {
  static int wanted = -1;
  if (wanted < 0) {
    const char *value = getenv("XACC_EXPLAIN");
#ifdef XACC_EXPLAIN
    wanted = !value || *value != '0';
#else
    wanted = value && *value && *value != '0';
#endif
  }
  if (!wanted || xacc_rank != 0) return;
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
}
