/* A program whose threads come to stand at known places: in a nested region, at a lock, at a
 * critical section, at a barrier, at a taskwait for tasks that depend on one another. Thread 0 says
 * "ready" once the others are on their way, and waits for good. */
#include <omp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

static omp_lock_t lock;
static volatile int on_their_way, task_begun, never;

static void stand(void) {
  while (!never) usleep(1000);
}
static void inner(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      __atomic_add_fetch(&on_their_way, 1, __ATOMIC_SEQ_CST);
      stand();
    }
  }
}
static void at_lock(void) {
  __atomic_add_fetch(&on_their_way, 1, __ATOMIC_SEQ_CST);
  omp_set_lock(&lock);
}
static void at_critical(void) {
  __atomic_add_fetch(&on_their_way, 1, __ATOMIC_SEQ_CST);
#pragma omp critical(held)
  never = 0;
}
static void at_tasks(void) {
  int x = 0;
  (void)x;
#pragma omp task depend(out : x)
  {
    __atomic_store_n(&task_begun, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&on_their_way, 1, __ATOMIC_SEQ_CST);
    stand();
  }
#pragma omp task depend(inout : x)
  never = 0;
#pragma omp task depend(in : x) final(1)
  never = 0;
#pragma omp taskwait
}
static void hold(void) {
  omp_set_lock(&lock);
#pragma omp critical(held)
  {
    __atomic_store_n(&on_their_way, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&on_their_way, __ATOMIC_SEQ_CST) < 5) usleep(1000);
    puts("ready");
    fflush(stdout);
    stand();
  }
}

int main(void) {
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
  omp_init_lock(&lock);
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(6)
  {
    int me = omp_get_thread_num();
    if (me == 0) hold();
    while (!__atomic_load_n(&on_their_way, __ATOMIC_SEQ_CST)) usleep(1000);
    switch (me) {
    case 1: at_lock(); break;
    case 2: at_critical(); break;
    case 3: at_tasks(); break;
    case 4: inner(); break;
    /* At the barrier it could begin the task. */
    case 5: while (!__atomic_load_n(&task_begun, __ATOMIC_SEQ_CST)) usleep(1000); break;
    }
#pragma omp barrier
  }
  return 0;
}
