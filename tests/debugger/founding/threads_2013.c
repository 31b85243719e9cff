/* Threads, by OMPD and by the system: which there are, what the system calls them, and what each
 * does, by OMPT's states. */
#include "own.h"
static void at_place(int place) { (void)place; }
int ompt_initialize(void) { return 1; }

static omp_lock_t lock;
static int64_t numbers[4], foreign_number;
static pthread_t selves[4], foreign_self;
static int stop;

static void *foreign(void *unused)
{
  foreign_number = kernel_number();
  while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) sched_yield();
  return unused;
}

static int state_of(ompd_thread_handle_t thread, uint64_t *wait)
{
  int state = -1;
  OK(p_ompd_get_state(context, thread, &state, wait));
  return state;
}

/* Thread 1 waits for the lock, thread 2 at the barrier, thread 0 looks. */
static void look(void)
{
  ompd_osthread_t native = {.kind = ompd_osthread_lwp, .data.lwp = foreign_number}, back;
  ompd_thread_handle_t thread = 0, again = 0, *all;
  ompt_wait_id_t own_wait, wait = 1;
  int count = 0, known = 0;
  EXPECT(ompd_rc_unavailable, p_ompd_get_thread_handle(context, &native, &thread));
  native = (ompd_osthread_t){.kind = ompd_osthread_pthread, .data.pthread = (int64_t)foreign_self};
  EXPECT(ompd_rc_unavailable, p_ompd_get_thread_handle(context, &native, &thread));
  for (int i = 0; i < 3; i++) {
    native = (ompd_osthread_t){.kind = ompd_osthread_lwp, .data.lwp = numbers[i]};
    OK(p_ompd_get_thread_handle(context, &native, &thread));
    native = (ompd_osthread_t){.kind = ompd_osthread_pthread, .data.pthread = (int64_t)selves[i]};
    OK(p_ompd_get_thread_handle(context, &native, &again));
    RULE(thread == again && thread != 0, "two handles of one thread");
    back = (ompd_osthread_t){.kind = ompd_osthread_lwp};
    OK(p_ompd_get_osthread(context, thread, &back));
    RULE(back.kind == ompd_osthread_lwp && back.data.lwp == numbers[i], "another thread");
    back = (ompd_osthread_t){.kind = ompd_osthread_pthread};
    OK(p_ompd_get_osthread(context, thread, &back));
    RULE(back.kind == ompd_osthread_pthread && back.data.pthread == (int64_t)selves[i], "another");
    if (i == 0) RULE(state_of(thread, &wait) == (int)ompt_get_state(&own_wait), "own state");
    if (i == 0) RULE(wait == own_wait, "own wait id");
    while (i == 1 && state_of(thread, &wait) != ompt_state_wait_lock) sched_yield();
    if (i == 1) RULE(wait == (uint64_t)&lock, "waits for %#lx", (unsigned long)wait);
    while (i == 2 && state_of(thread, &wait) != ompt_state_wait_barrier) sched_yield();
    RULE(state_of(thread, NULL) >= 0, "without a wait id");
  }
  /* All of them are among all threads, and the other one is not. */
  OK(p_ompd_get_threads(context, &all, &count));
  for (int i = 0; i < count; i++) {
    back = (ompd_osthread_t){.kind = ompd_osthread_lwp};
    OK(p_ompd_get_osthread(context, all[i], &back));
    RULE(back.data.lwp != foreign_number, "a thread that is none of OpenMP's");
    for (int k = 0; k < 3; k++) known += back.data.lwp == numbers[k];
  }
  RULE(known == 3, "%d of 3 threads", known);
  release(all);
}

int main(void)
{
  omp_init_lock(&lock);
  load();
  pthread_create(&foreign_self, NULL, foreign, NULL);
  while (!__atomic_load_n(&foreign_number, __ATOMIC_SEQ_CST)) sched_yield();
#pragma omp parallel num_threads(3)
  {
    int me = omp_get_thread_num();
    numbers[me] = kernel_number();
    selves[me] = pthread_self();
    if (me == 0) omp_set_lock(&lock);
#pragma omp barrier
    if (me == 0) {
      look();
      omp_unset_lock(&lock);
    } else if (me == 1) {
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
#pragma omp barrier
  }
  /* They idle now. */
  for (int i = 1; i < 3; i++) {
    ompd_osthread_t native = {.kind = ompd_osthread_lwp, .data.lwp = numbers[i]};
    ompd_thread_handle_t thread;
    OK(p_ompd_get_thread_handle(context, &native, &thread));
    while (state_of(thread, NULL) != ompt_state_idle) sched_yield();
  }
  RULE(state_of(own_thread(), NULL) == ompt_state_work_serial, "outside");
  stop = 1;
  pthread_join(foreign_self, NULL);
  return end();
}
