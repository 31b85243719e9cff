/* A program with one region and one task, which began before a debugger may have come: with an
 * argument it uses the runtime first, and sends itself SIGUSR1. */
#include <omp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static void nothing(int number) { (void)number; }

int main(int argc, char **argv) {
  int sum = 0;
  (void)argv;
  signal(SIGUSR1, nothing);
  if (argc > 1) {
    sum = omp_get_max_threads() * 0;
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), SIGUSR1);
  }
#pragma omp parallel num_threads(2) shared(sum)
#pragma omp single
#pragma omp task shared(sum)
  sum++;
  return sum != 1;
}
