// Started beside a run: on the last processor a real-time thread works for 100 us, 100 times a second, until its parent
// ends.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static const long period_ns = 10 * 1000000L, busy_ns = 100 * 1000L;

static long since(const struct timespec* from) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (now.tv_sec - from->tv_sec) * 1000000000L + now.tv_nsec - from->tv_nsec;
}

int main(void) {
  cpu_set_t all, last;
  sched_getaffinity(0, sizeof all, &all);
  int cpu = CPU_SETSIZE - 1;
  while (cpu > 0 && !CPU_ISSET(cpu, &all)) --cpu;
  CPU_ZERO(&last);
  CPU_SET(cpu, &last);
  const struct sched_param priority = {50};
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (sched_setaffinity(0, sizeof last, &last) != 0 || sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
    fprintf(stderr, "no real-time thread can be started here: %s\n", strerror(errno));
    return 1;
  }
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (;;) {
    next.tv_nsec += period_ns;
    if (next.tv_nsec >= 1000000000L) next.tv_nsec -= 1000000000L, ++next.tv_sec;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, 0);
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (since(&start) < busy_ns) {
    }
  }
}
