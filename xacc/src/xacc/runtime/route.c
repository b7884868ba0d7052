/* Routes that were measured on this machine, kept in a file: XACC_ROUTES, or routes.tsv in the cache folder. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "halo.h"

const char *const xacc_route_name[] = {"datatype", "packed", "shared"};

typedef struct {
  char key[128];
  int route;
  double seconds[XACC_ROUTES]; /* 0: the file does not say */
} kept;
static kept *table;
static int count;

/* As halo_paths names it. Hosts are told apart by their processor: what holds for one node of a kind holds for its
   neighbours. */
void xacc_machine(char *name, size_t size) {
  static const char *const keys[] = {"model name", "cpu", "Processor", "CPU part"};
  FILE *file = fopen("/proc/cpuinfo", "r");
  char line[512];
  snprintf(name, size, "unknown");
  for (int k = 0, found = 0; file && !found && k < 4; k++) {
    rewind(file);
    while (!found && fgets(line, sizeof line, file)) {
      char *value = strchr(line, ':');
      size_t length = strlen(keys[k]);
      if (!value || strncmp(line, keys[k], length) || line + length + strspn(line + length, " \t") != value) continue;
      value += 1 + strspn(value + 1, " \t");
      value[strcspn(value, "\n")] = 0;
      for (char *c = value; *c; c++)
        if (*c == '\t') *c = ' ';
      for (char *end = value + strlen(value); end > value && end[-1] == ' ';) *--end = 0;
      if ((found = *value != 0)) snprintf(name, size, "%s", value);
    }
  }
  if (file) fclose(file);
}

/* A list of the first rank, so that every rank goes by the same file. */
void *xacc_to_all(void *list, int *n, size_t size) {
  MPI_Bcast(n, 1, MPI_INT, 0, xacc_world);
  if (*n == 0) return list;
  if (xacc_rank != 0) list = xacc_alloc(size * (size_t)*n);
  MPI_Bcast(list, (int)(size * (size_t)*n), MPI_BYTE, 0, xacc_world);
  return list;
}

static void remember(const char *key, int route, const double *seconds) {
  int i = 0;
  while (i < count && strcmp(table[i].key, key)) i++;
  if (i == count) {
    table = realloc(table, sizeof *table * (size_t)(++count));
    if (!table) xacc_fail(NULL, "no memory for %d routes.", count);
  }
  memset(&table[i], 0, sizeof *table);
  snprintf(table[i].key, sizeof table[i].key, "%s", key);
  table[i].route = route;
  memcpy(table[i].seconds, seconds, sizeof table[i].seconds);
}

static void path_of(char *path, size_t size, int make) {
  const char *given = getenv("XACC_ROUTES"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char folder[900];
  if (given) {
    snprintf(path, size, "%s", given);
    return;
  }
  snprintf(folder, sizeof folder, "%s%s/xacc", cache ? cache : home ? home : "/tmp", cache ? "" : home ? "/.cache" : "");
  if (make) mkdir(folder, 0777);
  snprintf(path, size, "%s/routes.tsv", folder);
}

/* The newest line of a case is the last. What is no line of the table is left out: this file is no input of a user. */
void xacc_route_load(void) {
  char line[512], name[256], path[1024];
  path_of(path, sizeof path, 0);
  FILE *file = xacc_rank == 0 && *path ? fopen(path, "r") : NULL;
  xacc_machine(name, sizeof name);
  while (file && fgets(line, sizeof line, file)) {
    double seconds[XACC_ROUTES] = {0};
    char *tab = strchr(line, '\t'), *second = tab ? strchr(tab + 1, '\t') : NULL;
    if (!second) continue;
    *tab = *second = 0;
    int route = -1, read = sscanf(second + 1, "%d\t%lf\t%lf\t%lf", &route, &seconds[0], &seconds[1], &seconds[2]);
    for (int r = 0; r < XACC_ROUTES; r++)
      if (read != 1 + XACC_ROUTES || !(seconds[r] > 0)) memset(seconds, 0, sizeof seconds);
    if (!strcmp(line, name) && route >= 0 && route < XACC_ROUTES) remember(tab + 1, route, seconds);
  }
  if (file) fclose(file);
  table = xacc_to_all(table, &count, sizeof *table);
}

int xacc_route_known(const char *key, double *seconds) {
  for (const kept *k = table; k < table + count; k++)
    if (!strcmp(k->key, key)) {
      memcpy(seconds, k->seconds, sizeof k->seconds);
      return k->route;
    }
  return -1;
}

/* Called by all ranks of an exchange, of which one writes: the line by one write, so that lines of programs at the same
   time stay whole. */
void xacc_route_keep(const char *key, int route, const double *seconds, int writes) {
  char name[256], path[1024], line[512];
  remember(key, route, seconds);
  path_of(path, sizeof path, writes);
  int file = writes && *path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
  if (file < 0) return;
  xacc_machine(name, sizeof name);
  int length = snprintf(line, sizeof line, "%s\t%s\t%d\t%.3g\t%.3g\t%.3g\n", name, key, route, seconds[0], seconds[1], seconds[2]);
  if (write(file, line, (size_t)length) != length) xacc_explain("%s: note: the routes of halos are not stored\n", path);
  close(file);
}
