/* What begins and ends between the signals that the program sends itself: tasks of one function,
 * regions, a thread. With an argument: a chain of so many tasks, each in the one before. */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void nothing(int number) { (void)number; }
static void ask(void) { syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), SIGUSR1); }

static void region(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    for (int i = 0; i < 2; i++) {
#pragma omp task if (0)
      ask();
    }
    ask();
  }
}

static void *other(void *unused) {
  region();
  return unused;
}

static void *chain(void *length) {
  if (!length) return ask(), (void *)0;
#pragma omp task if (0)
  chain((char *)length - 1);
  return 0;
}

int main(int argc, char **argv) {
  pthread_t thread;
  pthread_attr_t large;
  signal(SIGUSR1, nothing);
  if (argc > 1) {
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, 1ul << 30);
    pthread_create(&thread, &large, chain, (char *)0 + atoi(argv[1]));
    return pthread_join(thread, 0);
  }
  region();
  ask();
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  ask();
  return 0;
}
