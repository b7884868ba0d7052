/* The table of routes that the check halo_paths of Tenken writes (docs/files.md): XACC_ROUTE_TABLE, read and never written. */
#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "halo.h"

enum { COLUMNS = 15, CLASS = 2, BLOCK, BLOCKS, FASTEST, TIMES, NAMES = 6, LARGEST = 1 << 20, SHOWN = 40 };
#define NEAREST 4.0 /* a case whose blocks differ by a larger factor says nothing about a face */
#define TIE 1.05    /* as halo_paths: packed messages win a tie */

static const char *const classes[] = {"itself", "core", "cache", "socket", "node", "network", "unknown"};
static const char *const names[NAMES] = {"pack", "datatype", "window", "put", "neighbour", "staged"};
static const int column_of[XACC_ROUTES] = {TIMES + 1, TIMES, TIMES + 5}; /* the routes that are also the runtime's */

typedef struct {
  int class;
  long far, block, blocks;
  double seconds[XACC_ROUTES]; /* 0: no such route */
} row;
static row *rows;
static int count;
static const char *file;

static void refuse(long line, const char *format, ...) {
  char text[600], at[64] = "";
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (line) snprintf(at, sizeof at, "line %ld of ", line);
  xacc_fail(NULL, "XACC_ROUTE_TABLE: %s%.300s %s; write a table with the check halo_paths (save_routes), or unset the variable.",
            at, file, text);
}

static char *text_of(void) {
  struct stat state;
  FILE *in = NULL;
  if (stat(file, &state)) refuse(0, "cannot be read: %s; expected a table of routes", strerror(errno));
  if (!S_ISREG(state.st_mode)) refuse(0, "is no regular file where a table of routes is expected");
  if (!(in = fopen(file, "r"))) refuse(0, "cannot be read: %s", strerror(errno));
  char *text = xacc_alloc(LARGEST + 2);
  size_t bytes = fread(text, 1, LARGEST + 1, in);
  fclose(in);
  if (bytes > LARGEST) refuse(0, "has more than %d bytes where a table of routes is expected", LARGEST);
  for (size_t i = 0; i < bytes; i++)
    if ((unsigned char)text[i] < ' ' && text[i] != '\t' && text[i] != '\n') text[i] = '?';
  return text;
}

static int known(const char *const *list, int n, const char *cell) {
  while (--n >= 0 && strcmp(list[n], cell)) continue;
  return n;
}

static long number(long line, const char *cell) {
  char *end;
  errno = 0;
  long value = strtol(cell, &end, 10);
  if (errno || end == cell || *end || value < 1)
    refuse(line, "has '%.*s' where a number of 1 or more is expected", SHOWN, cell);
  return value;
}

static double seconds(long line, const char *cell) {
  char *end;
  if (!strcmp(cell, "-")) return 0;
  double us = strtod(cell, &end);
  if (end == cell || *end || !(us > 0 && us < 1e15))
    refuse(line, "has '%.*s' where microseconds above 0, or -, are expected", SHOWN, cell);
  return us * 1e-6;
}

static row row_of(long line, char **cell) {
  row r = {.class = known(classes, sizeof classes / sizeof *classes, cell[CLASS])};
  if (r.class < 0) refuse(line, "has '%.*s' where a class such as core, cache or node is expected", SHOWN, cell[CLASS]);
  r.block = number(line, cell[BLOCK]);
  r.blocks = number(line, cell[BLOCKS]);
  if (strcmp(cell[FASTEST], "-") && known(names, NAMES, cell[FASTEST]) < 0)
    refuse(line, "has the route '%.*s' where pack, datatype, window, put, neighbour or staged is expected", SHOWN, cell[FASTEST]);
  for (int k = 0; k < NAMES; k++) seconds(line, cell[TIMES + k]);
  for (int i = 0; i < XACC_ROUTES; i++) r.seconds[i] = seconds(line, cell[column_of[i]]);
  /* Ranks that are not bound are of class unknown; shared memory shows that they were on one node. */
  r.far = !strcmp(cell[CLASS], "network") || (!strcmp(cell[CLASS], "unknown") && !r.seconds[XACC_SHARED]);
  return r;
}

static void read_rows(char *text) {
  char processor[256], mpi[MPI_MAX_LIBRARY_VERSION_STRING], other[512] = "no measurement at all";
  int length;
  xacc_machine(processor, sizeof processor);
  MPI_Get_library_version(mpi, &length);
  mpi[strcspn(mpi, "\n")] = 0;
  for (char *c = mpi; *c; c++)
    if (*c == '\t') *c = ' ';
  rows = xacc_alloc(sizeof *rows * (LARGEST / COLUMNS));
  long line = 1;
  for (char *next, *at = text; *at; at = next, line++) {
    next = at + strcspn(at, "\n");
    if (*next) *next++ = 0;
    if (!*at || *at == '#') continue;
    char *cell[COLUMNS];
    int cells = 0;
    for (char *c = at; c; cells++) {
      if (cells < COLUMNS) cell[cells] = c;
      if ((c = strchr(c, '\t'))) *c++ = 0;
    }
    if (cells != COLUMNS) refuse(line, "has %d columns where %d separated by tabs are expected", cells, COLUMNS);
    row r = row_of(line, cell);
    if (!strcmp(cell[0], processor) && !strcmp(cell[1], mpi))
      rows[count++] = r;
    else
      snprintf(other, sizeof other, "line %ld of %.150s with %.150s", line, cell[0], cell[1]);
  }
  if (!count) refuse(0, "has %s where routes of %.120s with %.120s are expected", other, processor, mpi);
}

static int in_order(const void *left, const void *right) {
  const double *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/* Several lines of one case are taken by their median. */
static double median(const row *like, int route) {
  double *list = xacc_alloc(sizeof *list * (size_t)count), value;
  int n = 0;
  for (const row *r = rows; r < rows + count; r++)
    if (r->class == like->class && r->far == like->far && r->block == like->block && r->blocks == like->blocks && r->seconds[route])
      list[n++] = r->seconds[route];
  qsort(list, (size_t)n, sizeof *list, in_order);
  value = n ? (list[(n - 1) / 2] + list[n / 2]) / 2 : 0;
  free(list);
  return value;
}

static double factor(long a, long b) { return a > b ? (double)a / (double)b : (double)b / (double)a; }

/* The case nearest in length and number of blocks; of equal ones that of the farthest neighbours, which the others wait for. */
int xacc_table_route(const xacc_face *face, double *times) {
  static const int order[] = {XACC_PACKED, XACC_DATATYPE, XACC_SHARED};
  const row *best = NULL;
  double least = 0, shortest = 0;
  for (const row *r = rows; r < rows + count; r++) {
    double block = factor(r->block, face->block), blocks = factor(r->blocks, face->blocks);
    if (r->far != face->far || block > NEAREST || blocks > NEAREST) continue;
    if (best && (block * blocks > least || (block * blocks == least && r->class <= best->class))) continue;
    best = r;
    least = block * blocks;
  }
  if (!best) return -1;
  for (int r = 0; r < XACC_ROUTES; r++) {
    times[r] = median(best, r);
    if (times[r] && (!shortest || times[r] < shortest)) shortest = times[r];
  }
  for (int i = 0; i < XACC_ROUTES; i++)
    if (times[order[i]] && times[order[i]] <= TIE * shortest) return order[i];
  return -1;
}

static int by_shape(const void *left, const void *right) {
  const row *a = left, *b = right;
  long by[] = {a->far - b->far, (a->blocks > 1) - (b->blocks > 1), a->block - b->block, a->blocks - b->blocks};
  for (int i = 0; i < 4; i++)
    if (by[i]) return by[i] < 0 ? -1 : 1;
  return 0;
}

/* Where one route gives way to another. */
static void explain_crossings(void) {
  int before = -1;
  double times[XACC_ROUTES];
  qsort(rows, (size_t)count, sizeof *rows, by_shape);
  for (int i = 0; i < count; i++) {
    const row *r = &rows[i];
    if (!i || r->far != r[-1].far || (r->blocks > 1) != (r[-1].blocks > 1)) before = -1;
    int route = xacc_table_route(&(xacc_face){.far = r->far, .block = r->block, .blocks = r->blocks}, times);
    if (route >= 0 && route != before)
      xacc_explain("%s: note: %s, %s: route %s from %ld x %ld bytes on\n", file, r->far ? "network" : "same node",
                   r->blocks > 1 ? "several blocks" : "one block", xacc_route_name[route], r->blocks, r->block);
    if (route >= 0) before = route;
  }
}

void xacc_table_load(void) {
  file = getenv("XACC_ROUTE_TABLE");
  if (!file || !*file) file = NULL;
  if (file && xacc_rank == 0) {
    char *text = text_of();
    read_rows(text);
    free(text);
    explain_crossings();
  }
  rows = xacc_to_all(rows, &count, sizeof *rows);
}
