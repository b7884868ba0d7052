/* Routes that were measured on this machine, kept in a file: XACC_ROUTES, or routes.tsv in the cache folder. */
#include <sys/stat.h>

#include "halo.h"

static struct kept {
  char key[128];
  int route;
  struct kept *next;
} *table;
static char path[1024];

/* Hosts are told apart by their processor: what holds for one node of a kind holds for its neighbours. */
static void machine(char *name, size_t size) {
  char line[256];
  snprintf(name, size, "unknown");
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, "model name", 10) && strchr(line, ':')) {
      snprintf(name, size, "%s", strchr(line, ':') + 2);
      name[strcspn(name, "\n\t")] = 0;
      break;
    }
  if (file) fclose(file);
}

static void remember(const char *key, int route) {
  struct kept *k = xacc_alloc(sizeof *k);
  snprintf(k->key, sizeof k->key, "%s", key);
  k->route = route;
  k->next = table;
  table = k;
}

void xacc_route_load(void) {
  const char *given = getenv("XACC_ROUTES"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (xacc_rank != 0) return;
  if (given)
    snprintf(path, sizeof path, "%s", given);
  else {
    char folder[900];
    snprintf(folder, sizeof folder, "%s%s/xacc", cache ? cache : home ? home : "/tmp", cache ? "" : home ? "/.cache" : "");
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/routes.tsv", folder);
  }
  FILE *file = *path ? fopen(path, "r") : NULL;
  char line[512], name[512];
  machine(name, sizeof name);
  while (file && fgets(line, sizeof line, file)) {
    char *tab = strchr(line, '\t'), *second = tab ? strchr(tab + 1, '\t') : NULL;
    if (!second) continue;
    *tab = *second = 0;
    if (strcmp(line, name)) continue;
    int route = atoi(second + 1);
    if (route >= 0 && route < XACC_ROUTES) remember(tab + 1, route);
  }
  if (file) fclose(file);
}

int xacc_route_known(const char *key) {
  for (struct kept *k = table; k; k = k->next)
    if (!strcmp(k->key, key)) return k->route;
  return -1;
}

void xacc_route_keep(const char *key, int route, const double *seconds) {
  char name[512];
  remember(key, route);
  if (xacc_rank != 0 || !*path) return;
  FILE *file = fopen(path, "a");
  if (!file) return;
  machine(name, sizeof name);
  fprintf(file, "%s\t%s\t%d\t%.3g\t%.3g\t%.3g\n", name, key, route, seconds[0], seconds[1], seconds[2]);
  fclose(file);
}
