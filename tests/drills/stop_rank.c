// Preloaded into MPI programs: rank 1 is stopped for a fifth of the time, 4 of every 20 milliseconds, by a process beside it.
// Much longer stops would be few in a short launch, and chance would say how many of them fall into timed sections.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static void pause_ms(long ms) {
  struct timespec t = {0, ms * 1000000L};
  nanosleep(&t, 0);
}

__attribute__((constructor)) static void stop_now_and_then(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = getenv("PMI_RANK");
  if (!rank || strcmp(rank, "1") != 0) return;
  const pid_t stopped = getpid();
  if (fork() != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (getppid() == stopped) {
    pause_ms(16);
    kill(stopped, SIGSTOP);
    pause_ms(4);
    kill(stopped, SIGCONT);
  }
  _exit(0);
}
