/* Sections: directives with the clause profile, timed here (XACC_PROFILE=1) or by the program that set a hook. */
#include "internal.h"
#include "xacc_embed.h"

static xacc_section *sections;
static void (*hook)(xacc_section *s, int begins);
static int wanted = -1;

void xacc_sections_to(void (*told)(xacc_section *s, int begins)) { hook = told; }

static void (*named)(const char *name, int begins);
static void by_name(xacc_section *s, int begins) { named(s->name, begins); }

void xacc_sections_named(void (*told)(const char *name, int begins)) {
  named = told;
  hook = told ? by_name : NULL;
}

xacc_section *xacc_section_begin(xacc_section *s) {
  if (wanted < 0) {
    const char *value = getenv("XACC_PROFILE");
    wanted = value && *value && *value != '0';
  }
  if (hook) {
    hook(s, 1);
    return s;
  }
  if (!wanted) return NULL;
  if (s->calls++ == 0) {
    xacc_section **end = &sections;
    while (*end) end = &(*end)->next;
    *end = s;
  }
  s->since = MPI_Wtime();
  return s;
}

void xacc_section_end(xacc_section **open) {
  xacc_section *s = *open;
  if (!s) return;
  if (hook)
    hook(s, 0);
  else
    s->seconds += MPI_Wtime() - s->since;
}

void xacc_sections_print(void) {
  if (xacc_rank != 0) return;
  for (const xacc_section *s = sections; s; s = s->next)
    fprintf(stderr, "%s: note: %s: %ld calls, %.6f s on rank 0\n", s->where, s->name, s->calls, s->seconds);
}
