/* For a program in another language that contains translated files: it starts MPI itself, and then them. */
#ifndef XACC_EMBED_H
#define XACC_EMBED_H
#include <mpi.h>
#ifdef __cplusplus
extern "C" {
#endif
/* Runs the file-scope directives of the files that were compiled with -DXACC_GROUP="\"group\"", on the ranks of comm, which
   are the nodes from now on. Once, before anything else of these files. */
void xacc_start_in(MPI_Comm comm, const char *group);
/* Whom sections are told (clause profile): by their name, at their beginning (1) and their end (0). */
void xacc_sections_named(void (*told)(const char *name, int begins));
#ifdef __cplusplus
}
#endif
#endif
