/* A program with a tool of 2013 in it, or without one if built with -DNONE. It says what the
 * inquiry functions answer in a region, once at the start if it has arguments, and after each of
 * two SIGUSR1 that it sends itself, the second one inside a region. */
#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int ompt_set_callback(int event, void *callback);
int ompt_get_state(uint64_t *wait);
uint64_t ompt_get_parallel_id(int level);
void *ompt_get_thread_data(void);
void *ompt_get_task_frame(int level);

static int begun, ended;
static void parallel_begin(void) { begun++; }
static void shutdown(void) { ended++; }
#ifndef NONE
int ompt_initialize(void) {
  ompt_set_callback(1, parallel_begin);
  ompt_set_callback(8, shutdown);
  return 1;
}
#endif

static void nothing(int number) { (void)number; }
static void ask(void) { syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), SIGUSR1); }

static void say(const char *when) {
  int tool = begun;
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    uint64_t wait;
    int state = ompt_get_state(&wait);
    int answers = (state == 1) + (ompt_get_parallel_id(0) != 0) + (ompt_get_thread_data() != 0) +
                  (ompt_get_task_frame(0) != 0);
    printf("%s: told %d, ended %d, answers %d\n", when, begun - tool, ended, answers);
    fflush(stdout);
  }
}

/* clang's code calls the runtime where a function with a region begins. */
__attribute__((noinline)) static void ask_inside(void) {
#pragma omp parallel num_threads(2)
#pragma omp master
  ask();
}

int main(int argc, char **argv) {
  (void)argv, (void)parallel_begin, (void)shutdown;
  signal(SIGUSR1, nothing);
  if (argc > 1) say("start");
  ask();
  say("first");
  ask_inside();
  say("second");
  return 0;
}
