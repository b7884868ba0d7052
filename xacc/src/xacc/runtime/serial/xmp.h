/* xmp.h of the serial program: one node. */
#ifndef XMP_H
#define XMP_H
#include <stdlib.h>
#include <time.h>
typedef void *xmp_desc_t;
#include "xmp_library.h"
#define xmp_malloc(d, n, ...) calloc((size_t)(n), ((const xmp_serial_array *)(d))->row)
#define xmp_free(a) free(a)
static inline int xmp_num_nodes(void) { return 1; }
static inline int xmp_node_num(void) { return 1; }
static inline int xmp_all_num_nodes(void) { return 1; }
static inline int xmp_all_node_num(void) { return 1; }
static inline int xmpc_num_nodes(void) { return 1; }
static inline int xmpc_node_num(void) { return 0; }
static inline int xmpc_all_num_nodes(void) { return 1; }
static inline int xmpc_all_node_num(void) { return 0; }
static inline int xmpc_this_image(void) { return 0; }
static inline void xmp_barrier(void) {}
static inline void xmp_sync_all(const int *status) { (void)status; }
static inline int xmp_test_async(int async_id) { return (void)async_id, 1; }
static inline void xmp_exit(int status) { exit(status); }
#define xmp_init(...) ((void)0)
#define xmp_init_mpi(...) ((void)0)
static inline void xmp_finalize_mpi(void) {}
static inline void xmp_finalize(void) {}
static inline double xmp_wtick(void) { return 1e-9; }
static inline double xmp_wtime(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
#endif
